import { isFunctionWord, JOINTS } from "../../text/function-words.ts";
import { isWord, type TokenBuffer } from "../../text/tokenise.ts";
import { hashWord } from "../../text/word-hash.ts";
import { addGrams, FeatureBuffer } from "../features/features.ts";
import { type IntentModel, occursIn } from "../model/intent-model.ts";
import { REAL_WORDS } from "../words/real-words.ts";
import { mayBeRepaired } from "../words/spelling.ts";
import type { Coverage } from "./coverage.ts";

/** Facts about a word for one model, independent of its position. */
export interface WordFacts {
  /** From `hashWord`. */
  readonly hash: number;
  /** Its characters in UTF-16 code units. */
  readonly letters: Uint16Array;
  /** Whether one of its first characters is a letter or mark; see `isWord`. */
  readonly isWord: boolean;
  /** Whether it contains no letter, mark or digit. */
  readonly isSigns: boolean;
  /** Whether it only joins two requests; see `JOINTS`. */
  readonly isJoint: boolean;
  /** Rows of its features: the word, −1 if no example contains it; and its known grams, repetitions included. */
  readonly row: number;
  readonly gramRows: Int32Array;
  /** Sum of its grams' squared weights, repetitions included. */
  readonly gramSquare: number;
  /** By intent, the part of that sum from grams in its examples; then, by intent, the part from grams with a negative weight for it. */
  readonly gramShares: Float64Array;
  /** Contributions to every intent's score, of the word and then of its grams, before the groups' factors. */
  readonly sums: Float64Array;
  /** Whether it is never corrected, because it is known or similar to no known word. */
  readonly isSettled: boolean;
  /** Weight in the coverage of a text and the covered part of it; 0 if the calibration requires no coverage. */
  readonly weight: number;
  readonly covered: number;
}

/**
 * Numbers cached for words by all classifiers of a thread: 6 MB. Messages repeat words, so the cache saves most of the work; when it is
 * full, it is cleared.
 */
const MAX_KEPT = 750_000;
/** Size of a cached word's other data, in numbers of 8 bytes. */
const ROOM_OF_WORD = 50;
/** UTF-16 code units per number of 8 bytes. */
const CODE_UNITS_OF_NUMBER = 4;

const WORD = /[\p{L}\p{M}\p{N}]/u;

let kept = 0;
/** All caches with entries, to be cleared together. */
let filled: Map<number, WordFacts>[] = [];

/** Memory for the grams of one word, overwritten by the next. */
let gramHashes = new Int32Array(256);

/** One model's facts about words, computed at the first occurrence and cached. */
export class WordFactsOf {
  readonly #model: IntentModel;
  readonly #coverage: Coverage | undefined;
  /** By hash. Of two words with the same hash only the first is cached. */
  readonly #known = new Map<number, WordFacts>();

  /** @param coverage undefined if the calibration requires none. */
  constructor(model: IntentModel, coverage: Coverage | undefined) {
    this.#model = model;
    this.#coverage = coverage;
  }

  /** @param token the word's index in `tokens`. */
  find(tokens: TokenBuffer, token: number): WordFacts {
    const start = tokens.starts[token]!;
    const end = tokens.ends[token]!;
    const hash = hashWord(tokens.codeUnits, start, end);
    const known = this.#known.get(hash);
    if (known !== undefined && isSpelled(known.letters, tokens.codeUnits, start, end)) return known;
    const facts = this.#findOut(hash, tokens, token);
    if (known === undefined) this.#keep(facts);
    return facts;
  }

  #keep(facts: WordFacts): void {
    const letters = Math.ceil(facts.letters.length / CODE_UNITS_OF_NUMBER);
    kept += ROOM_OF_WORD + letters + facts.gramRows.length + facts.sums.length + facts.gramShares.length;
    if (kept > MAX_KEPT) forgetAll();
    if (this.#known.size === 0) filled.push(this.#known);
    this.#known.set(facts.hash, facts);
  }

  #findOut(hash: number, tokens: TokenBuffer, token: number): WordFacts {
    const { vocabulary, lexicon, intents } = this.#model;
    const start = tokens.starts[token]!;
    const end = tokens.ends[token]!;
    const letters = tokens.codeUnits.slice(start, end);
    const text = String.fromCharCode(...letters);
    const row = vocabulary.index.find(hash);
    const gramRows = this.#gramRowsOf(tokens.codeUnits, start, end);
    const sums = new Float64Array(2 * intents.length);
    if (row >= 0) this.#addRow(sums, 0, row, vocabulary.idf[row]!);
    const gramShares = new Float64Array(2 * intents.length);
    let gramSquare = 0;
    for (const gram of gramRows) {
      const value = vocabulary.idf[gram]!;
      this.#addRow(sums, intents.length, gram, value);
      this.#addShares(gramShares, gram, value * value);
      gramSquare += value * value;
    }
    const isKnown = row >= 0 || isFunctionWord(hash) || REAL_WORDS.find(hash) >= 0;
    const isSettled = isKnown || !mayBeRepaired(lexicon, tokens, token);
    const { weight, covered } = this.#coverage?.ofToken(tokens, token) ?? { weight: 0, covered: 0 };
    return {
      hash,
      letters,
      isWord: isWord(tokens.codeUnits, start, end),
      isSigns: !WORD.test(text),
      isJoint: JOINTS.has(text),
      row,
      gramRows,
      gramSquare,
      gramShares,
      sums,
      isSettled,
      weight,
      covered,
    };
  }

  /** Adds the square of a gram's weight to the shares of the intents. */
  #addShares(shares: Float64Array, gram: number, square: number): void {
    const { weights, occurrence, intents } = this.#model;
    const count = intents.length;
    for (let k = 0; k < count; k++) {
      if (occursIn(occurrence, gram, k, count)) shares[k]! += square;
      if (weights.cells[gram * count + k]! < 0) shares[count + k]! += square;
    }
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
}

function isSpelled(letters: Uint16Array, codeUnits: Uint16Array, start: number, end: number): boolean {
  if (letters.length !== end - start) return false;
  for (let i = 0; i < letters.length; i++) if (letters[i] !== codeUnits[start + i]) return false;
  return true;
}

function forgetAll(): void {
  for (const words of filled) words.clear();
  filled = [];
  kept = 0;
}
