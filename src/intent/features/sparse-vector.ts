import { type FeatureBuffer, GROUP_COUNT, WORD_GROUP } from "./features.ts";

/** Sparse vectors one after another: the entries of vector i stand from `offsets[i]` to `offsets[i + 1]`. */
export interface SparseRows {
  offsets: Int32Array;
  /** Of each entry, the row of the weight matrix that it is multiplied with. */
  rows: Int32Array;
  values: Float32Array;
}

/**
 * How much words, word pairs and character grams weigh in a text's vector. Chosen by hand on validation lines of nine public data sets:
 * grams weigh most, as they bridge inflections and typing errors.
 */
export const GROUP_WEIGHTS = [0.7, 0.7, 1.2];

/** The features of a text, each once, with the number of its occurrences. */
export interface CountedFeatures {
  rows: Int32Array;
  counts: Float64Array;
  /** See `FeatureBuffer.wordBits`. */
  wordBits: Int32Array;
  groupEnds: Int32Array;
}

/** One text as a sparse vector: rows of the weight matrix, and their values. Filled again for every text: first `count`, then `weigh`. */
export class SparseVector {
  rows = new Int32Array(1024);
  /** After `count` how often each feature occurs; after `weigh` what it weighs, all together of length 1. */
  values = new Float64Array(1024);
  /** The words that each feature is made of, where `count` was asked for them; see `FeatureBuffer.wordBits`. */
  wordBits = new Int32Array(1024);
  readonly groupEnds = new Int32Array(GROUP_COUNT);
  length = 0;
  /** Words that the vocabulary lacks; one that occurs twice counts twice. */
  unknownWords = 0;
  /** Where each row stands in `rows`, by open addressing. A slot is in use where its stamp is that of the present text. */
  #slots = new Int32Array(4096);
  #stamps = new Uint32Array(4096);
  #stamp = 0;

  /**
   * Replaces the content by the features that the vocabulary knows, and counts them.
   * @param wordBits where given, those of each feature are joined to those of its row.
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

  /** A copy of what `count` made. */
  counted(): CountedFeatures {
    return {
      rows: this.rows.slice(0, this.length),
      counts: this.values.slice(0, this.length),
      wordBits: this.wordBits.slice(0, this.length),
      groupEnds: this.groupEnds.slice(),
    };
  }

  /** Replaces the content by features that were counted before. `newRows` renumbers them; a new row below 0 drops the feature. */
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

  /** Turns counts into weights: (1 + ln count) · idf; each group to length 1, times the group's weight; then the whole to length 1. */
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

  /** Weighs the entries of one group. Returns the sum of their squares. */
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

  /** Counts a row once more. Returns its position. */
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

  /** Empties the vector, and makes room for this many features. */
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
