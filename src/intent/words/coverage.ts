import { isWord, type TokenBuffer } from "../../text/tokenise.ts";
import { hashWord } from "../features/features.ts";
import type { HashIndex } from "../features/hash-index.ts";
import { isFunctionWord } from "./function-words.ts";
import type { Lexicon } from "./spelling.ts";
import type { WordSimilarity } from "./word-similarity.ts";

/** What a function word counts for, beside a word that can name a subject. */
const FUNCTION_WORD_WEIGHT = 0.1;
/** A word that begins as a known one does, such as another form of it, is nearly known. */
const KNOWN_BEGINNING = 0.8;
const SHORTEST_BEGINNING = 4;
const LONGEST_ENDING = 3;
/** A word that is as similar to a known one as that is not known, or as good as known. */
const UNLIKE = 0.4;
const MUCH_THE_SAME = 0.7;
/** What is left of a chance where nothing of a text's subject is known. */
const LEAST_TRUST = 0.1;

/** How much of what a text is about occurs in a bot's examples. */
export class Coverage {
  readonly #words: HashIndex;
  readonly #beginnings: ReadonlySet<number>;
  readonly #similarity: WordSimilarity | undefined;

  /** @param similarity where it is known what words mean: one that means much the same as a known one is nearly known. */
  constructor(words: HashIndex, lexicon: Lexicon, similarity?: WordSimilarity) {
    this.#words = words;
    this.#similarity = similarity;
    this.#beginnings = beginningsOf(lexicon);
  }

  /**
   * Share, 0–1, of the text's words that are known, where words that name no subject hardly count. A text without words is covered.
   */
  of(tokens: TokenBuffer): number {
    let total = 0;
    let known = 0;
    for (let token = 0; token < tokens.count; token++) {
      const start = tokens.starts[token]!;
      const end = tokens.ends[token]!;
      if (!isWord(tokens.units, start, end)) continue;
      const hash = hashWord(tokens.units, start, end);
      const weight = isFunctionWord(hash) ? FUNCTION_WORD_WEIGHT : 1;
      total += weight;
      known += weight * this.#familiarity(hash, tokens, token);
    }
    return total === 0 ? 1 : known / total;
  }

  #familiarity(hash: number, tokens: TokenBuffer, token: number): number {
    if (this.#words.find(hash) >= 0) return 1;
    return Math.max(this.#ofBeginning(tokens, token), this.#ofMeaning(hash, tokens, token));
  }

  #ofBeginning({ units, starts, ends }: TokenBuffer, token: number): number {
    const start = starts[token]!;
    const end = ends[token]!;
    const length = end - start;
    if (length < SHORTEST_BEGINNING) return 0;
    const beginning = start + Math.max(SHORTEST_BEGINNING, length - LONGEST_ENDING);
    return this.#beginnings.has(hashWord(units, start, beginning)) ? KNOWN_BEGINNING : 0;
  }

  #ofMeaning(hash: number, tokens: TokenBuffer, token: number): number {
    const similarity = this.#similarity?.ofWord(hash, tokens, token) ?? 0;
    return Math.min(1, Math.max(0, (similarity - UNLIKE) / (MUCH_THE_SAME - UNLIKE)));
  }
}

/** The factor that a chance of being in scope keeps, when `needed` of a text should be covered; measured in test/bench/intent. */
export function trustIn(coverage: number, needed: number): number {
  return needed === 0 ? 1 : Math.min(1, LEAST_TRUST + coverage / needed);
}

function beginningsOf({ units, offsets }: Lexicon): Set<number> {
  const beginnings = new Set<number>();
  for (let word = 0; word + 1 < offsets.length; word++) {
    const start = offsets[word]!;
    for (let end = start + SHORTEST_BEGINNING; end <= offsets[word + 1]!; end++) {
      beginnings.add(hashWord(units, start, end));
    }
  }
  return beginnings;
}
