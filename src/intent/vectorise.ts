import { type FeatureBuffer, GROUP_COUNT } from "./features.ts";

/** How much words, word pairs and character grams weigh; found by ablation over nine data sets. */
export const GROUP_WEIGHTS = [0.7, 0.7, 1.2];
/** What an unknown feature counts, of the square of the rarest known one. */
const UNKNOWN_WEIGHT = 0.5;

/** One text as rows of the weight matrix and their values; filled again for every text. */
export class SparseVector {
  rows = new Int32Array(1024);
  /** Occurrences after `count`, weights of unit length after `weigh`. */
  values = new Float64Array(1024);
  readonly groupEnds = new Int32Array(GROUP_COUNT);
  length = 0;
  /** Features that the vocabulary lacks, per group; they are in no row, but weaken their group. */
  readonly unknown = new Int32Array(GROUP_COUNT);
  #slots = new Int32Array(4096);
  #stamps = new Uint32Array(4096);
  #stamp = 0;

  /** Looks up every feature, drops unknown ones (row below 0) and counts the rest. */
  count(features: FeatureBuffer, vocabulary: { find(hash: number): number }): void {
    const total = features.groupEnds[GROUP_COUNT - 1]!;
    this.#reserve(total);
    this.length = 0;
    let from = 0;
    for (let group = 0; group < GROUP_COUNT; group++) {
      const to = features.groupEnds[group]!;
      for (let i = from; i < to; i++) {
        const row = vocabulary.find(features.hashes[i]!);
        if (row >= 0) this.#increment(row);
        else this.unknown[group]!++;
      }
      this.groupEnds[group] = this.length;
      from = to;
    }
  }

  /** Takes features that were counted before, renumbered by `newRows`; a new row below 0 drops the feature. */
  take(rows: Int32Array, counts: Float64Array, groupEnds: Int32Array, newRows: Int32Array): void {
    this.#reserve(rows.length);
    this.length = 0;
    let from = 0;
    for (let group = 0; group < GROUP_COUNT; group++) {
      const to = groupEnds[group]!;
      for (let i = from; i < to; i++) {
        const row = newRows[rows[i]!]!;
        if (row < 0) continue;
        this.rows[this.length] = row;
        this.values[this.length++] = counts[i]!;
      }
      this.groupEnds[group] = this.length;
      from = to;
    }
  }

  /** Turns occurrences into weights: (1 + ln count) · idf, unit length per group (shorter if features are unknown), then as a whole. */
  weigh(idf: Float32Array): void {
    const rarest = idf.length > 0 ? idf[idf.length - 1]! : 0;
    let squares = 0;
    let from = 0;
    for (let group = 0; group < GROUP_COUNT; group++) {
      const to = this.groupEnds[group]!;
      const unknown = UNKNOWN_WEIGHT * this.unknown[group]! * rarest * rarest;
      if (to > from) squares += this.#weighGroup(from, to, GROUP_WEIGHTS[group]!, idf, unknown);
      from = to;
    }
    if (squares === 0) return;
    const scale = 1 / Math.sqrt(squares);
    for (let i = 0; i < this.length; i++) this.values[i]! *= scale;
  }

  /** Returns the sum of squares. */
  #weighGroup(from: number, to: number, weight: number, idf: Float32Array, unknown: number): number {
    let known = 0;
    for (let i = from; i < to; i++) {
      const count = this.values[i]!;
      const value = (count === 1 ? 1 : 1 + Math.log(count)) * idf[this.rows[i]!]!;
      this.values[i] = value;
      known += value * value;
    }
    const scale = weight / Math.sqrt(known + unknown);
    for (let i = from; i < to; i++) this.values[i]! *= scale;
    return known * scale * scale;
  }

  #increment(row: number): void {
    const mask = this.#slots.length - 1;
    let slot = Math.imul(row, 0x9e_37_79_b1) & mask;
    while (this.#stamps[slot] === this.#stamp) {
      const position = this.#slots[slot]!;
      if (this.rows[position] === row) {
        this.values[position]! += 1;
        return;
      }
      slot = (slot + 1) & mask;
    }
    this.#stamps[slot] = this.#stamp;
    this.#slots[slot] = this.length;
    this.rows[this.length] = row;
    this.values[this.length++] = 1;
  }

  #reserve(total: number): void {
    this.unknown.fill(0);
    this.#stamp = (this.#stamp + 1) >>> 0;
    if (total > this.rows.length) {
      this.rows = new Int32Array(total * 2);
      this.values = new Float64Array(total * 2);
    }
    if (total * 2 > this.#slots.length || this.#stamp === 0) {
      const slots = 2 ** Math.ceil(Math.log2(Math.max(this.#slots.length, total * 4)));
      this.#slots = new Int32Array(slots);
      this.#stamps = new Uint32Array(slots);
      this.#stamp = 1;
    }
  }
}
