import { isFunctionWord } from "../../text/function-words.ts";
import type { TokenBuffer } from "../../text/tokenise.ts";
import { hashWord } from "../../text/word-hash.ts";
import { addGrams, FeatureBuffer } from "../features/features.ts";
import type { IntentModel } from "../model/intent-model.ts";
import { mayBeRepaired } from "../words/spelling.ts";
import { MEANING_DIMENSIONS } from "../words/word-meanings.ts";
import type { Coverage } from "./coverage.ts";

/** What a model makes of a word, wherever it stands. */
export interface WordFacts {
  /** As `hashWord` makes it. */
  readonly hash: number;
  /** The rows of the features that it is: itself, −1 where no example holds it; and its grams, as often as they occur in it. */
  readonly row: number;
  readonly gramRows: Int32Array;
  /** Sum of the squares of the weights of its grams, each counted as often as it occurs. */
  readonly gramSquare: number;
  /** Its number among the meanings, −1 where it has none. */
  readonly meaning: number;
  /** What it adds to every intent's score: as a word, then by its grams, then by its meaning; before any group is weighed. */
  readonly sums: Float64Array;
  /** Whether it is left as it is, whatever stands beside it: it is known, or like no known word. */
  readonly isSettled: boolean;
  /** What it counts for in the coverage of a text, and how much of that is covered; nothing where coverage is not asked for. */
  readonly weight: number;
  readonly covered: number;
}

/**
 * So many numbers are kept for words, for all classifiers of a thread together: 6 MB. Words of messages repeat, so that what is kept saves most
 * of the reading; when there are more, all are forgotten.
 */
const MOST_KEPT = 750_000;
/** What is kept for a word beside numbers takes the room of about so many. */
const ROOM_OF_WORD = 50;

let kept = 0;
/** Where words are kept. */
let filled: Map<string, WordFacts>[] = [];

/** Scratch memory for the grams of one word. Nothing in it outlives the reading of a word. */
let gramHashes = new Int32Array(256);

/** What one model makes of words. Found out when a word is first met, and kept for a while. */
export class WordFactsOf {
  readonly #model: IntentModel;
  readonly #coverage: Coverage | undefined;
  readonly #known = new Map<string, WordFacts>();

  /** @param coverage where it is asked for. */
  constructor(model: IntentModel, coverage: Coverage | undefined) {
    this.#model = model;
    this.#coverage = coverage;
  }

  /**
   * @param word the token's letters.
   * @param token its place in `tokens`.
   */
  find(word: string, tokens: TokenBuffer, token: number): WordFacts {
    const known = this.#known.get(word);
    if (known !== undefined) return known;
    const facts = this.#findOut(tokens, token);
    this.#keep(word, facts);
    return facts;
  }

  #keep(word: string, facts: WordFacts): void {
    kept += ROOM_OF_WORD + facts.gramRows.length + facts.sums.length;
    if (kept > MOST_KEPT) forgetAll();
    if (this.#known.size === 0) filled.push(this.#known);
    // A part of a text keeps the whole in memory; a copy does not.
    this.#known.set(` ${word}`.slice(1), facts);
  }

  #findOut(tokens: TokenBuffer, token: number): WordFacts {
    const { vocabulary, knowledge, lexicon, intents } = this.#model;
    const start = tokens.starts[token]!;
    const end = tokens.ends[token]!;
    const hash = hashWord(tokens.codeUnits, start, end);
    const row = vocabulary.index.find(hash);
    const meaning = knowledge.meanings?.findForm(hash, tokens, token) ?? -1;
    const gramRows = this.#gramRowsOf(tokens.codeUnits, start, end);
    const sums = new Float64Array(intents.length * (knowledge.isWeighed ? 3 : 2));
    if (row >= 0) this.#addRow(sums, 0, row, vocabulary.idf[row]!);
    let gramSquare = 0;
    for (const gram of gramRows) {
      const value = vocabulary.idf[gram]!;
      this.#addRow(sums, intents.length, gram, value);
      gramSquare += value * value;
    }
    if (knowledge.isWeighed && meaning >= 0) this.#addMeaning(sums, meaning);
    const isKnown = row >= 0 || isFunctionWord(hash) || (knowledge.meanings?.find(hash) ?? -1) >= 0;
    const isSettled = isKnown || !mayBeRepaired(lexicon, tokens, token);
    const { weight, covered } = this.#coverage?.ofToken(tokens, token) ?? { weight: 0, covered: 0 };
    return { hash, row, gramRows, gramSquare, meaning, sums, isSettled, weight, covered };
  }

  #gramRowsOf(codeUnits: Uint16Array, start: number, end: number): Int32Array {
    const most = FeatureBuffer.gramCount(end - start);
    if (most > gramHashes.length) gramHashes = new Int32Array(2 * most);
    const count = addGrams(codeUnits, start, end, gramHashes, 0);
    const { index } = this.#model.vocabulary;
    return gramHashes
      .subarray(0, count)
      .map((hash) => index.find(hash))
      .filter((row) => row >= 0);
  }

  #addRow(sums: Float64Array, at: number, row: number, value: number): void {
    const { weights, intents } = this.#model;
    const scaled = value * weights.scales[row]!;
    const from = row * intents.length;
    for (let k = 0; k < intents.length; k++) sums[at + k]! += scaled * weights.cells[from + k]!;
  }

  #addMeaning(sums: Float64Array, word: number): void {
    const { knowledge, vocabulary, intents } = this.#model;
    const vector = new Float64Array(MEANING_DIMENSIONS);
    knowledge.meanings!.addTo(vector, word);
    for (let d = 0; d < MEANING_DIMENSIONS; d++)
      this.#addRow(sums, 2 * intents.length, vocabulary.idf.length + d, vector[d]!);
  }
}

function forgetAll(): void {
  for (const words of filled) words.clear();
  filled = [];
  kept = 0;
}
