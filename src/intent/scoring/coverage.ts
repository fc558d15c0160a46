import { isFunctionWord } from "../../text/function-words.ts";
import { isWord, type TokenBuffer } from "../../text/tokenise.ts";
import { hashWord } from "../../text/word-hash.ts";
import type { HashIndex } from "../words/hash-index.ts";
import type { Lexicon } from "../words/lexicon.ts";

/**
 * Weight of a function word relative to other words. Not 0, so that a text of function words only is not covered by chance. Chosen by hand.
 */
const FUNCTION_WORD_WEIGHT = 0.1;
/** Coverage of an unknown word with a known beginning; most likely it is an inflected form. Chosen by hand. */
const KNOWN_BEGINNING = 0.8;
/** Minimum length of a beginning and maximum length of the ending, in characters, for the inflections of European languages. */
const MIN_BEGINNING_LENGTH = 4;
const MAX_ENDING_LENGTH = 3;

/** Weight of a token, and how much of it is covered. */
export interface CoveredToken {
  weight: number;
  covered: number;
}

/** Weighted share of a text's words (0–1) that are known; 1 for a text without words. */
export function coverageOf(tokens: readonly CoveredToken[]): number {
  let total = 0;
  let known = 0;
  for (const { weight, covered } of tokens) {
    total += weight;
    known += covered;
  }
  return total === 0 ? 1 : known / total;
}

/** How much of a text's content occurs in a bot's examples. */
export class Coverage {
  readonly #vocabulary: HashIndex;
  /** The beginnings of all known words, as `hashWord` makes them. */
  readonly #beginnings: ReadonlySet<number>;

  constructor(vocabulary: HashIndex, lexicon: Lexicon) {
    this.#vocabulary = vocabulary;
    this.#beginnings = beginningsOf(lexicon);
  }

  /** Weight of a word and its covered part. Function words have little weight, signs none. */
  ofToken(tokens: TokenBuffer, token: number): CoveredToken {
    const start = tokens.starts[token]!;
    const end = tokens.ends[token]!;
    if (!isWord(tokens.codeUnits, start, end)) return { weight: 0, covered: 0 };
    const hash = hashWord(tokens.codeUnits, start, end);
    const weight = isFunctionWord(hash) ? FUNCTION_WORD_WEIGHT : 1;
    return { weight, covered: weight * this.#familiarity(hash, tokens, token) };
  }

  #familiarity(hash: number, tokens: TokenBuffer, token: number): number {
    if (this.#vocabulary.find(hash) >= 0) return 1;
    const { codeUnits, starts, ends } = tokens;
    const start = starts[token]!;
    const end = ends[token]!;
    const length = end - start;
    if (length < MIN_BEGINNING_LENGTH) return 0;
    const beginning = start + Math.max(MIN_BEGINNING_LENGTH, length - MAX_ENDING_LENGTH);
    return this.#beginnings.has(hashWord(codeUnits, start, beginning)) ? KNOWN_BEGINNING : 0;
  }
}

function beginningsOf({ codeUnits, offsets }: Lexicon): Set<number> {
  const beginnings = new Set<number>();
  for (let word = 0; word + 1 < offsets.length; word++) {
    const start = offsets[word]!;
    for (let end = start + MIN_BEGINNING_LENGTH; end <= offsets[word + 1]!; end++) {
      beginnings.add(hashWord(codeUnits, start, end));
    }
  }
  return beginnings;
}
