import { readFileSync } from "node:fs";

import { HashIndex } from "./hash-index.ts";
import file from "./word-meanings.bin" with { type: "file" };

/** Numbers of a word's vector. */
export const MEANING_DIMENSIONS = 64;
/** Vectors have this length, and whole numbers for entries. */
const UNIT = 127;

/**
 * What frequent English words mean: vectors of equal length, so that words which are used alike lie together. Made by
 * test/bench/intent/make-word-meanings.ts from GloVe (Pennington et al. 2014), which is in the public domain (PDDL 1.0).
 */
export class WordMeanings {
  readonly #index: HashIndex;
  readonly #weights: Float32Array;
  readonly #cells: Int8Array;

  /** @param bytes as `packWordMeanings` made them. */
  constructor({ buffer, byteOffset }: Uint8Array<ArrayBuffer>) {
    const count = new Int32Array(buffer, byteOffset, 1)[0]!;
    this.#index = HashIndex.withRoomFor(count);
    new Int32Array(buffer, byteOffset + 4, count).forEach((hash, word) => this.#index.set(hash, word));
    this.#weights = new Float32Array(buffer, byteOffset + 4 * (1 + count), count);
    this.#cells = new Int8Array(buffer, byteOffset + 4 * (1 + 2 * count), count * MEANING_DIMENSIONS);
  }

  /** The number of a word, given by `hashWord`, or −1. */
  find(hash: number): number {
    return this.#index.find(hash);
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

  /** Cosine of the angle between two words, as near as rounded vectors tell; at most 1, and about 1 of a word with itself. */
  similarity(one: number, other: number): number {
    const a = one * MEANING_DIMENSIONS;
    const b = other * MEANING_DIMENSIONS;
    const cells = this.#cells;
    let sum = 0;
    for (let d = 0; d < MEANING_DIMENSIONS; d++) sum += cells[a + d]! * cells[b + d]!;
    return Math.min(1, sum / UNIT ** 2);
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

let shared: WordMeanings | undefined;

/** Those that come with the program; read when first asked for. */
export function wordMeanings(): WordMeanings {
  shared ??= new WordMeanings(new Uint8Array(readFileSync(file)));
  return shared;
}
