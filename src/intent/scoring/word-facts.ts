import { isFunctionWord, JOINTS } from "../../text/function-words.ts";
import { isWord, type TokenBuffer } from "../../text/tokenise.ts";
import { hashWord } from "../../text/word-hash.ts";
import { addGrams, FeatureBuffer } from "../features/features.ts";
import type { IntentModel } from "../model/intent-model.ts";
import { occursIn } from "../model/occurrence.ts";
import { REAL_WORDS } from "../words/real-words.ts";
import { mayBeRepaired } from "../words/spelling.ts";
import type { Coverage } from "./coverage.ts";

/** Facts about a word for one model, independent of its position. */
export interface WordFacts {
  /** As `hashWord` makes it. */
  readonly hash: number;
  /** Its letters, in UTF-16 code units. */
  readonly letters: Uint16Array;
  /** Whether it has a letter or mark among its first ones; see `isWord`. */
  readonly isWord: boolean;
  /** Whether it is made of signs: it has no letter, mark or digit. */
  readonly isSigns: boolean;
  /** Whether it does nothing but join two requests; see `JOINTS`. */
  readonly isJoint: boolean;
  /** The rows of the features that it is: itself, −1 where no example holds it; and its grams, as often as they occur in it. */
  readonly row: number;
  readonly gramRows: Int32Array;
  /** Sum of the squares of the weights of its grams, each counted as often as it occurs. */
  readonly gramSquare: number;
  /** For each intent, how much of that square is of grams that its examples hold; then, how much is of grams that speak against it. */
  readonly gramShares: Float64Array;
  /** What it adds to every intent's score: as a word, then by its grams; before any group is weighed. */
  readonly sums: Float64Array;
  /** Whether it is left as it is, whatever stands beside it: it is known, or like no known word. */
  readonly isSettled: boolean;
  /** What it counts for in the coverage of a text, and how much of that is covered; nothing where coverage is not asked for. */
  readonly weight: number;
  readonly covered: number;
}

/**
 * Numbers cached for words by all classifiers of a thread: 6 MB. Messages repeat words, so the cache saves most of the work; when it is
 * full, it is cleared.
 */
const MOST_KEPT = 750_000;
/** Other data of a cached word, in numbers of the same size. */
const ROOM_OF_WORD = 50;
/** UTF-16 code units that take the room of a number. */
const CODE_UNITS_OF_NUMBER = 4;

const WORD = /[\p{L}\p{M}\p{N}]/u;

let kept = 0;
/** Where words are kept. */
let filled: Map<number, WordFacts>[] = [];

/** Scratch memory for the grams of one word. Nothing in it outlives the reading of a word. */
let gramHashes = new Int32Array(256);

/** What one model makes of words. Found out when a word is first met, and kept for a while. */
export class WordFactsOf {
  readonly #model: IntentModel;
  readonly #coverage: Coverage | undefined;
  /** By their hashes. Of two words with one hash the first is kept. */
  readonly #known = new Map<number, WordFacts>();

  /** @param coverage where it is asked for. */
  constructor(model: IntentModel, coverage: Coverage | undefined) {
    this.#model = model;
    this.#coverage = coverage;
  }

  /** @param token the word's place in `tokens`. */
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
    if (kept > MOST_KEPT) forgetAll();
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
