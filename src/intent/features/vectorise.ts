import { MEANING_DIMENSIONS, type WordMeanings } from "../words/word-meanings.ts";
import { type FeatureBuffer, type Features, GROUP_COUNT, WORD_GROUP } from "./features.ts";

/** How much words, word pairs and character grams weigh; found by ablation over nine data sets. */
export const GROUP_WEIGHTS = [0.7, 0.7, 1.2];
/** Length of a sum of meanings below which it weighs less: frequent words alone say next to nothing. */
const FULL_MEANING = 0.5;

/** The factor that a sum of meanings of this length gets. */
export function meaningScale(length: number, { groupWeight }: WordMeanings): number {
  return groupWeight / Math.max(length, FULL_MEANING);
}

/** What the words of a text mean together, those that no example holds too. Returns whether any is known. */
export function sumMeanings(
  { hashes, groupEnds, tokens }: FeatureBuffer,
  meanings: WordMeanings,
  sum: Float64Array,
): boolean {
  sum.fill(0);
  let found = false;
  for (let i = 0; i < groupEnds[WORD_GROUP]!; i++) {
    const word = meanings.findForm(hashes[i]!, tokens, i);
    if (word < 0) continue;
    meanings.addTo(sum, word);
    found = true;
  }
  if (!found) return false;
  let squares = 0;
  for (let d = 0; d < MEANING_DIMENSIONS; d++) squares += sum[d]! ** 2;
  const scale = meaningScale(Math.sqrt(squares), meanings);
  for (let d = 0; d < MEANING_DIMENSIONS; d++) sum[d]! *= scale;
  return true;
}

/** The features of a text, counted. */
export interface CountedFeatures {
  rows: Int32Array;
  counts: Float64Array;
  /** See `FeatureBuffer.words`. */
  words: Int32Array;
  groupEnds: Int32Array;
  meaning: Float64Array | undefined;
}

/** One text as rows of the weight matrix and their values; filled again for every text. */
export class SparseVector {
  rows = new Int32Array(1024);
  /** Occurrences after `count`, weights of unit length after `weigh`. */
  values = new Float64Array(1024);
  /** The words that each row's feature is part of, where `count` was asked for them; see `FeatureBuffer.words`. */
  words = new Int32Array(1024);
  readonly groupEnds = new Int32Array(GROUP_COUNT);
  length = 0;
  /** Words that the vocabulary lacks. */
  unknownWords = 0;
  /** What the words mean together, where `addMeaning` found any; behind the counted features once weighed. */
  #meaning: Float64Array | undefined;
  readonly #sum = new Float64Array(MEANING_DIMENSIONS);
  #slots = new Int32Array(4096);
  #stamps = new Uint32Array(4096);
  #stamp = 0;

  /** Looks up every feature, drops unknown ones (row below 0) and counts the rest. */
  count(
    features: Features & Partial<Pick<FeatureBuffer, "words">>,
    vocabulary: { find(hash: number): number },
    withWords = false,
  ): void {
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
        if (withWords) this.words[position]! |= features.words![i]!;
      }
      this.groupEnds[group] = this.length;
      from = to;
    }
  }

  /** Takes in what the words mean, those that the vocabulary lacks too. */
  addMeaning(features: FeatureBuffer, meanings: WordMeanings): void {
    if (sumMeanings(features, meanings, this.#sum)) this.#meaning = this.#sum;
  }

  /** The same for words whose meanings were summed before. */
  addSummedMeaning(sum: Float64Array | undefined): void {
    this.#meaning = sum;
  }

  /** Features that were counted with their words. */
  counted(): CountedFeatures {
    return {
      rows: this.rows.slice(0, this.length),
      counts: this.values.slice(0, this.length),
      words: this.words.slice(0, this.length),
      groupEnds: this.groupEnds.slice(),
      meaning: this.#meaning?.slice(),
    };
  }

  /** Takes features that were counted before, renumbered by `newRows`; a new row below 0 drops the feature. */
  take({ rows, counts, words, groupEnds, meaning }: CountedFeatures, newRows: Int32Array): void {
    this.#reserve(rows.length);
    this.#meaning = meaning;
    this.length = 0;
    let from = 0;
    for (let group = 0; group < GROUP_COUNT; group++) {
      const to = groupEnds[group]!;
      for (let i = from; i < to; i++) {
        const row = newRows[rows[i]!]!;
        if (row < 0) continue;
        this.rows[this.length] = row;
        this.words[this.length] = words[i]!;
        this.values[this.length++] = counts[i]!;
      }
      this.groupEnds[group] = this.length;
      from = to;
    }
  }

  /**
   * Turns occurrences into weights: (1 + ln count) · idf, unit length per group, times the group's weight, then unit length as a whole.
   * Meaning is one more group, whose rows follow those of the vocabulary.
   */
  weigh(idf: Float32Array): void {
    let squares = 0;
    let from = 0;
    for (let group = 0; group < GROUP_COUNT; group++) {
      const to = this.groupEnds[group]!;
      if (to > from) squares += this.#weighGroup(from, to, GROUP_WEIGHTS[group]!, idf);
      from = to;
    }
    if (this.#meaning) squares += this.#appendMeaning(this.#meaning, idf.length);
    if (squares === 0) return;
    const scale = 1 / Math.sqrt(squares);
    for (let i = 0; i < this.length; i++) this.values[i]! *= scale;
  }

  /** Returns the sum of squares. */
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

  /** Returns the sum of squares. */
  #appendMeaning(meaning: Float64Array, firstRow: number): number {
    let squares = 0;
    for (let d = 0; d < MEANING_DIMENSIONS; d++) {
      this.rows[this.length] = firstRow + d;
      this.words[this.length] = 0;
      this.values[this.length++] = meaning[d]!;
      squares += meaning[d]! ** 2;
    }
    return squares;
  }

  /** Returns the row's position. */
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
    this.words[this.length] = 0;
    return this.length++;
  }

  /** Empties the vector, with room for that many features and a meaning. */
  #reserve(featureCount: number): void {
    const total = featureCount + MEANING_DIMENSIONS;
    this.unknownWords = 0;
    this.#meaning = undefined;
    this.#stamp = (this.#stamp + 1) >>> 0;
    if (total > this.rows.length) {
      this.rows = new Int32Array(total * 2);
      this.values = new Float64Array(total * 2);
      this.words = new Int32Array(total * 2);
    }
    if (total * 2 > this.#slots.length || this.#stamp === 0) {
      const slots = 2 ** Math.ceil(Math.log2(Math.max(this.#slots.length, total * 4)));
      this.#slots = new Int32Array(slots);
      this.#stamps = new Uint32Array(slots);
      this.#stamp = 1;
    }
  }
}
