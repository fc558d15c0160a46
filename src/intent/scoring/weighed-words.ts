import { GRAM_GROUP, GROUP_COUNT, PAIR_GROUP, WORD_GROUP } from "../features/features.ts";
import { GROUP_WEIGHTS } from "../features/sparse-vector.ts";
import { meaningScale } from "../features/text-meaning.ts";
import type { IntentModel } from "../model/intent-model.ts";
import { MEANING_DIMENSIONS } from "../words/word-meanings.ts";
import type { ReadText } from "./read-text.ts";

/**
 * The features of a text that was read, each once, and what they weigh: the vector of `SparseVector`, made and scored from what is known of each
 * word. Filled again for every text.
 */
export class WeighedWords {
  rows = new Int32Array(1024);
  values = new Float64Array(1024);
  readonly groupEnds = new Int32Array(GROUP_COUNT);
  unknownWords = 0;
  length = 0;
  #counts = new Int32Array(1024);
  /** What the weights of each group were multiplied with, and the words' meanings. */
  readonly #factors = new Float64Array(GROUP_COUNT);
  #meaningFactor = 0;
  readonly #meaning = new Float64Array(MEANING_DIMENSIONS);
  /** Where each row of a model stands in `rows`, as far as its stamp is that of the present text. */
  #positions = new Int32Array(0);
  #stamps = new Uint32Array(0);
  #stamp = 0;

  /** Replaces the content by the features of a text. */
  read(text: ReadText, { vocabulary, knowledge }: IntentModel): void {
    this.#begin(text, vocabulary.idf.length);
    for (const { row } of text.facts) this.#count(row);
    this.unknownWords = text.facts.reduce((count, { row }) => count + Number(row < 0), 0);
    this.groupEnds[WORD_GROUP] = this.length;
    for (const row of text.pairRows) this.#count(row);
    this.groupEnds[PAIR_GROUP] = this.length;
    for (const { gramRows } of text.facts)
      for (let i = 0; i < gramRows.length; i++) this.#count(gramRows[i]!);
    this.groupEnds[GRAM_GROUP] = this.length;
    if (this.length > 0)
      this.#weigh(vocabulary.idf, knowledge.isWeighed ? this.#meaningOf(text, knowledge.meanings) : 0);
  }

  /** Sets `scores` to those of every intent. */
  score(
    { facts }: ReadText,
    { bias, weights, vocabulary, knowledge }: IntentModel,
    scores: Float64Array,
  ): void {
    const count = scores.length;
    const [asWord, , asGrams] = this.#factors as unknown as [number, number, number];
    const asMeaning = knowledge.isWeighed ? this.#meaningFactor : 0;
    scores.set(bias);
    for (const { sums } of facts) {
      for (let k = 0; k < count; k++) scores[k]! += asWord * sums[k]! + asGrams * sums[count + k]!;
      if (asMeaning === 0) continue;
      for (let k = 0; k < count; k++) scores[k]! += asMeaning * sums[2 * count + k]!;
    }
    for (let i = 0; i < this.length; i++) {
      const missing = this.#missingInSums(i, vocabulary.idf);
      if (missing === 0) continue;
      const row = this.rows[i]!;
      const factor = missing * weights.scales[row]!;
      for (let k = 0; k < count; k++) scores[k]! += factor * weights.cells[row * count + k]!;
    }
  }

  /** What the sums of words lack of a feature's weight. They hold no pairs; and a feature that occurs c times c times, where 1 + ln c count. */
  #missingInSums(i: number, idf: Float32Array): number {
    if (i >= this.groupEnds[WORD_GROUP]! && i < this.groupEnds[PAIR_GROUP]!) return this.values[i]!;
    const count = this.#counts[i]!;
    if (count === 1) return 0;
    const group = i < this.groupEnds[WORD_GROUP]! ? WORD_GROUP : GRAM_GROUP;
    return this.values[i]! - count * this.#factors[group]! * idf[this.rows[i]!]!;
  }

  /** (1 + ln count) · idf; each group to length 1, times the group's weight; then the whole, with the meaning, to length 1. */
  #weigh(idf: Float32Array, meaningSquare: number): void {
    let squares = meaningSquare;
    let from = 0;
    for (let group = 0; group < GROUP_COUNT; group++) {
      const to = this.groupEnds[group]!;
      if (to > from) squares += GROUP_WEIGHTS[group]! ** 2;
      this.#factors[group] =
        to > from ? GROUP_WEIGHTS[group]! / Math.sqrt(this.#weighGroup(from, to, idf)) : 0;
      from = to;
    }
    const scale = 1 / Math.sqrt(squares);
    this.#meaningFactor *= scale;
    from = 0;
    for (let group = 0; group < GROUP_COUNT; group++) {
      const factor = (this.#factors[group]! *= scale);
      for (; from < this.groupEnds[group]!; from++) this.values[from]! *= factor;
    }
  }

  /** Weighs the features of one group. @returns the sum of their squares. */
  #weighGroup(from: number, to: number, idf: Float32Array): number {
    let squares = 0;
    for (let i = from; i < to; i++) {
      const count = this.#counts[i]!;
      const value = (count === 1 ? 1 : 1 + Math.log(count)) * idf[this.rows[i]!]!;
      this.values[i] = value;
      squares += value * value;
    }
    return squares;
  }

  /** Adds up what the words mean. @returns the square of the length of the sum as it is weighed. */
  #meaningOf({ facts }: ReadText, meanings: NonNullable<IntentModel["knowledge"]["meanings"]>): number {
    const sum = this.#meaning.fill(0);
    this.#meaningFactor = 0;
    for (const { meaning } of facts) if (meaning >= 0) meanings.addTo(sum, meaning);
    let squares = 0;
    for (let d = 0; d < MEANING_DIMENSIONS; d++) squares += sum[d]! * sum[d]!;
    if (squares === 0) return 0;
    this.#meaningFactor = meaningScale(Math.sqrt(squares), meanings);
    return squares * this.#meaningFactor ** 2;
  }

  #count(row: number): void {
    if (row < 0) return;
    if (this.#stamps[row] === this.#stamp) {
      this.#counts[this.#positions[row]!]! += 1;
      return;
    }
    this.#stamps[row] = this.#stamp;
    this.#positions[row] = this.length;
    this.rows[this.length] = row;
    this.#counts[this.length++] = 1;
  }

  /** Empties the vector, and makes room for the features of a text, which has at most four grams for each place in a padded word. */
  #begin({ normalised, facts }: ReadText, rowCount: number): void {
    const most = 4 * (normalised.length + 3 * facts.length) + 2 * facts.length + 1;
    this.length = 0;
    this.#stamp = (this.#stamp + 1) >>> 0;
    if (most > this.rows.length) {
      this.rows = new Int32Array(most * 2);
      this.values = new Float64Array(most * 2);
      this.#counts = new Int32Array(most * 2);
    }
    if (rowCount > this.#stamps.length || this.#stamp === 0) {
      this.#positions = new Int32Array(Math.max(rowCount, this.#stamps.length));
      this.#stamps = new Uint32Array(this.#positions.length);
      this.#stamp = 1;
    }
  }
}
