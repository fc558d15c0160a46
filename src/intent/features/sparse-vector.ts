import { type FeatureBuffer, GROUP_COUNT, WORD_GROUP } from "./features.ts";

/** Sparse vectors in sequence: the entries of vector i are at `offsets[i]` to `offsets[i + 1]`. */
export interface SparseRows {
  offsets: Int32Array;
  /** Row of the weight matrix of each entry. */
  rows: Int32Array;
  values: Float32Array;
}

/**
 * Weights of words, word pairs and character grams in a text's vector. Chosen by hand on validation lines of nine public data sets:
 * grams have the highest weight, because they match inflected and misspelt words.
 */
export const GROUP_WEIGHTS = [0.7, 0.7, 1.2];

/** The distinct features of a text with their counts. */
export interface CountedFeatures {
  rows: Int32Array;
  counts: Float64Array;
  /** See `FeatureBuffer.wordBits`. */
  wordBits: Int32Array;
  groupEnds: Int32Array;
}

/** A text as a sparse vector: rows of the weight matrix with values. Overwritten by the next text: first `count`, then `weigh`. */
export class SparseVector {
  rows = new Int32Array(1024);
  /** After `count` the number of occurrences of each feature; after `weigh` its weight, with an L2 norm of 1 in total. */
  values = new Float64Array(1024);
  /** Words of each feature, if `count` was given `wordBits`; see `FeatureBuffer.wordBits`. */
  wordBits = new Int32Array(1024);
  readonly groupEnds = new Int32Array(GROUP_COUNT);
  length = 0;
  /** Number of words that are not in the vocabulary, repetitions included. */
  unknownWords = 0;
  /** Hash table (open addressing) of each row's index in `rows`. A slot is in use if its stamp is the current text's. */
  #slots = new Int32Array(4096);
  #stamps = new Uint32Array(4096);
  #stamp = 0;

  /**
   * Replaces the content by the features in the vocabulary, with their counts.
   * @param wordBits if given, those of a row are the union of its features'.
   */
  count(features: FeatureBuffer, vocabulary: { find(hash: number): number }, wordBits?: Int32Array): void {
    const total = features.groupEnds[GROUP_COUNT - 1]!;
    this.#reserve(total);
    this.length = 0;
    let from = 0;
    for (let group = 0; group < GROUP_COUNT; group++) {
      const to = features.groupEnds[group]!;
      for (let i = from; i < to; i++) {
        const row = vocabulary.find(features.hashes[i]!);
        if (row < 0) {
          if (group === WORD_GROUP) this.unknownWords++;
          continue;
        }
        const position = this.#increment(row);
        if (wordBits) this.wordBits[position]! |= wordBits[i]!;
      }
      this.groupEnds[group] = this.length;
      from = to;
    }
  }

  /** A copy of the result of `count`. */
  counted(): CountedFeatures {
    return {
      rows: this.rows.slice(0, this.length),
      counts: this.values.slice(0, this.length),
      wordBits: this.wordBits.slice(0, this.length),
      groupEnds: this.groupEnds.slice(),
    };
  }

  /** Replaces the content by counted features. `newRows` renumbers them; a row below 0 drops the feature. */
  take({ rows, counts, wordBits, groupEnds }: CountedFeatures, newRows: Int32Array): void {
    this.#reserve(rows.length);
    this.length = 0;
    let from = 0;
    for (let group = 0; group < GROUP_COUNT; group++) {
      const to = groupEnds[group]!;
      for (let i = from; i < to; i++) {
        const row = newRows[rows[i]!]!;
        if (row < 0) continue;
        this.rows[this.length] = row;
        this.wordBits[this.length] = wordBits[i]!;
        this.values[this.length++] = counts[i]!;
      }
      this.groupEnds[group] = this.length;
      from = to;
    }
  }

  /** Weights features by (1 + ln count) · idf, gives each group an L2 norm of its group weight, and the vector an L2 norm of 1. */
  weigh(idf: Float32Array): void {
    let squares = 0;
    let from = 0;
    for (let group = 0; group < GROUP_COUNT; group++) {
      const to = this.groupEnds[group]!;
      if (to > from) squares += this.#weighGroup(from, to, GROUP_WEIGHTS[group]!, idf);
      from = to;
    }
    if (squares === 0) return;
    const scale = 1 / Math.sqrt(squares);
    for (let i = 0; i < this.length; i++) this.values[i]! *= scale;
  }

  /** Weights the entries of one group. @returns the sum of their squares. */
  #weighGroup(from: number, to: number, weight: number, idf: Float32Array): number {
    let squares = 0;
    for (let i = from; i < to; i++) {
      const count = this.values[i]!;
      const value = (count === 1 ? 1 : 1 + Math.log(count)) * idf[this.rows[i]!]!;
      this.values[i] = value;
      squares += value * value;
    }
    const scale = weight / Math.sqrt(squares);
    for (let i = from; i < to; i++) this.values[i]! *= scale;
    return weight * weight;
  }

  /** Counts one occurrence of a row. @returns its index. */
  #increment(row: number): number {
    const mask = this.#slots.length - 1;
    let slot = Math.imul(row, 0x9e_37_79_b1) & mask;
    while (this.#stamps[slot] === this.#stamp) {
      const position = this.#slots[slot]!;
      if (this.rows[position] === row) {
        this.values[position]! += 1;
        return position;
      }
      slot = (slot + 1) & mask;
    }
    this.#stamps[slot] = this.#stamp;
    this.#slots[slot] = this.length;
    this.rows[this.length] = row;
    this.values[this.length] = 1;
    this.wordBits[this.length] = 0;
    return this.length++;
  }

  /** Clears the vector and makes room for this many features. */
  #reserve(total: number): void {
    this.unknownWords = 0;
    this.#stamp = (this.#stamp + 1) >>> 0;
    if (total > this.rows.length) {
      this.rows = new Int32Array(total * 2);
      this.values = new Float64Array(total * 2);
      this.wordBits = new Int32Array(total * 2);
    }
    if (total * 2 > this.#slots.length || this.#stamp === 0) {
      const slots = 2 ** Math.ceil(Math.log2(Math.max(this.#slots.length, total * 4)));
      this.#slots = new Int32Array(slots);
      this.#stamps = new Uint32Array(slots);
      this.#stamp = 1;
    }
  }
}
