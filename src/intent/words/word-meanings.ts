import { readFileSync } from "node:fs";

import type { WordRanges } from "../../text/tokenise.ts";
import { hashWord } from "../features/features.ts";
import { HashIndex } from "../features/hash-index.ts";
import file from "./word-meanings.bin" with { type: "file" };

/** Numbers of a word's vector. */
export const MEANING_DIMENSIONS = 64;
/** Vectors have this length, and whole numbers for entries. */
const UNIT = 127;
/** Letters that a stem has at least. */
export const SHORTEST_STEM = 3;
/** What the words of an entry count for: the first most. */
const BLEND_SHARES = [1, 0.8, 0.6];
/** Weight from which on a word of the other language is taken for a loan word. */
const LEAST_LOAN_WEIGHT = 0.3;
/** By cross-validation of training examples; words alone tell less where a language inflects more. */
const OWN_WEIGHT = 0.8;
const GLOSSARY_WEIGHT = 1.1;
/** Numbers that are compared first. */
const HEAD = 32;

/** Words, and the lengths of their vectors without the head. */
export interface WordSelection {
  words: Int32Array;
  tails: Float32Array;
}

/** What is looked up where no word is listed as it is. */
interface Glossary {
  stems: HashIndex;
  /** In UTF-16 units. */
  longestStem: number;
  loanWords: WordMeanings;
}

/** An entry of a glossary: what a word, or all words with a stem, mean in words that are known already. */
export interface GlossaryEntry {
  /** As `hashWord` makes it. */
  hash: number;
  /** Of the word or stem, in UTF-16 units. */
  length: number;
  isStem: boolean;
  /** Their numbers, the best first. */
  words: readonly number[];
}

/** What the words of a language mean: vectors of equal length, so that words which are used alike lie together. */
export class WordMeanings {
  /** How much the sum of a text's words weighs beside the other groups of features. */
  readonly groupWeight: number;
  readonly #index: HashIndex;
  readonly #weights: Float32Array;
  readonly #cells: Int8Array;
  readonly #glossary: Glossary | undefined;

  private constructor(
    groupWeight: number,
    index: HashIndex,
    weights: Float32Array,
    cells: Int8Array,
    glossary?: Glossary,
  ) {
    this.groupWeight = groupWeight;
    this.#index = index;
    this.#weights = weights;
    this.#cells = cells;
    this.#glossary = glossary;
  }

  /** @param bytes as `packWordMeanings` made them. */
  static unpack({ buffer, byteOffset }: Uint8Array<ArrayBuffer>): WordMeanings {
    const count = new Int32Array(buffer, byteOffset, 1)[0]!;
    const index = HashIndex.withRoomFor(count);
    new Int32Array(buffer, byteOffset + 4, count).forEach((hash, word) => index.set(hash, word));
    const weights = new Float32Array(buffer, byteOffset + 4 * (1 + count), count);
    const cells = new Int8Array(buffer, byteOffset + 4 * (1 + 2 * count), count * MEANING_DIMENSIONS);
    return new WordMeanings(OWN_WEIGHT, index, weights, cells);
  }

  /** Another language by way of this one, whose words keep their numbers and are found too where they say something. */
  translated(entries: readonly GlossaryEntry[]): WordMeanings {
    const own = this.#weights.length;
    const index = HashIndex.withRoomFor(entries.length);
    const stems = HashIndex.withRoomFor(entries.length);
    const weights = new Float32Array(own + entries.length);
    const cells = new Int8Array((own + entries.length) * MEANING_DIMENSIONS);
    weights.set(this.#weights);
    cells.set(this.#cells);
    entries.forEach(({ hash, isStem, words }, i) => {
      (isStem ? stems : index).set(hash, own + i);
      weights[own + i] = this.#weights[words[0]!]!;
      this.#blend(words, cells.subarray((own + i) * MEANING_DIMENSIONS));
    });
    const longestStem = entries.reduce(
      (most, { isStem, length }) => (isStem ? Math.max(most, length) : most),
      0,
    );
    return new WordMeanings(GLOSSARY_WEIGHT, index, weights, cells, { stems, longestStem, loanWords: this });
  }

  /** The number of a word that is listed as it is, given by `hashWord`, or −1. */
  find(hash: number): number {
    return this.#index.find(hash);
  }

  /** The same, or else that of the longest listed stem that the word begins with, or of a loan word. */
  findForm(hash: number, words: WordRanges, token: number): number {
    const word = this.#index.find(hash);
    return word >= 0 || this.#glossary === undefined ? word : this.#findByStem(hash, words, token);
  }

  #findByStem(hash: number, { units, starts, ends }: WordRanges, token: number): number {
    const { stems, longestStem, loanWords } = this.#glossary!;
    const start = starts[token]!;
    for (let end = Math.min(ends[token]!, start + longestStem); end >= start + SHORTEST_STEM; end--) {
      const stem = stems.find(hashWord(units, start, end));
      if (stem >= 0) return stem;
    }
    const loanWord = loanWords.find(hash);
    return loanWord >= 0 && loanWords.weightOf(loanWord) >= LEAST_LOAN_WEIGHT ? loanWord : -1;
  }

  /** How much a word says, 0–1: next to nothing where it is frequent (Arora et al. 2017). */
  weightOf(word: number): number {
    return this.#weights[word]!;
  }

  /** Adds a word's vector, as long as the word's weight, to `sum`. */
  addTo(sum: Float64Array, word: number): void {
    const factor = this.#weights[word]! / UNIT;
    const from = word * MEANING_DIMENSIONS;
    for (let d = 0; d < MEANING_DIMENSIONS; d++) sum[d]! += factor * this.#cells[from + d]!;
  }

  /** Those of these words, to be compared with. */
  select(words: readonly number[]): WordSelection {
    return { words: Int32Array.from(words), tails: Float32Array.from(words, (word) => this.#tailOf(word)) };
  }

  /** Greatest cosine of the angle between a word and any of these, as near as rounded vectors tell: 0–1, about 1 with itself. */
  greatestSimilarity(word: number, { words, tails }: WordSelection): number {
    const cells = this.#cells;
    const own = word * MEANING_DIMENSIONS;
    const ownTail = this.#tailOf(word);
    let greatest = 0;
    for (let i = 0; i < words.length; i++) {
      const other = words[i]! * MEANING_DIMENSIONS;
      let sum = 0;
      for (let d = 0; d < HEAD; d++) sum += cells[own + d]! * cells[other + d]!;
      // What is left adds no more than this (Cauchy–Schwarz); eight of nine words are done with.
      if (sum + ownTail * tails[i]! <= greatest) continue;
      for (let d = HEAD; d < MEANING_DIMENSIONS; d++) sum += cells[own + d]! * cells[other + d]!;
      if (sum > greatest) greatest = sum;
    }
    return Math.min(1, greatest / UNIT ** 2);
  }

  /** Writes the cells of a word between these. */
  #blend(words: readonly number[], target: Int8Array): void {
    const sum = new Float64Array(MEANING_DIMENSIONS);
    words.forEach((word, i) => {
      const from = word * MEANING_DIMENSIONS;
      for (let d = 0; d < MEANING_DIMENSIONS; d++) sum[d]! += BLEND_SHARES[i]! * this.#cells[from + d]!;
    });
    let squares = 0;
    for (let d = 0; d < MEANING_DIMENSIONS; d++) squares += sum[d]! ** 2;
    const factor = UNIT / Math.sqrt(squares);
    for (let d = 0; d < MEANING_DIMENSIONS; d++) target[d] = Math.round(factor * sum[d]!);
  }

  #tailOf(word: number): number {
    const end = (word + 1) * MEANING_DIMENSIONS;
    let squares = 0;
    for (let i = end - MEANING_DIMENSIONS + HEAD; i < end; i++) squares += this.#cells[i]! ** 2;
    return Math.sqrt(squares);
  }
}

/** A word with its vector, which is of length 1. */
export interface WordMeaning {
  /** As `hashWord` makes it. */
  hash: number;
  weight: number;
  vector: ArrayLike<number>;
}

/** The bytes that `WordMeanings` reads. */
export function packWordMeanings(words: readonly WordMeaning[]): Uint8Array {
  return Buffer.concat([
    Buffer.from(Int32Array.of(words.length, ...words.map(({ hash }) => hash)).buffer),
    Buffer.from(Float32Array.from(words, ({ weight }) => weight).buffer),
    Buffer.from(
      Int8Array.from(words.flatMap(({ vector }) => Array.from(vector, (value) => Math.round(UNIT * value))))
        .buffer,
    ),
  ]);
}

let english: WordMeanings | undefined;

/**
 * What frequent English words mean; read when first asked for. Made by test/bench/intent/word-meanings/make.ts from GloVe (Pennington
 * et al. 2014; in the public domain, PDDL 1.0) and the Universal Sentence Encoder (Cer et al. 2018; Apache 2.0).
 */
export function englishMeanings(): WordMeanings {
  english ??= WordMeanings.unpack(new Uint8Array(readFileSync(file)));
  return english;
}
