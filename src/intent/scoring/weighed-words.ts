import { GRAM_GROUP, GROUP_COUNT, PAIR_GROUP, WORD_GROUP } from "../features/features.ts";
import { GROUP_WEIGHTS } from "../features/sparse-vector.ts";
import type { IntentModel } from "../model/intent-model.ts";
import { occursIn } from "../model/occurrence.ts";
import type { FeatureShares } from "./evidence.ts";
import type { ReadText } from "./read-text.ts";

/** What so many occurrences of a feature weigh, where one weighs 1. */
const weightOf = (count: number): number => (count === 1 ? 1 : 1 + Math.log(count));

/**
 * The features of a text that was read, and what they weigh: the vector of `SparseVector`, made and scored from what is known of each word.
 * Words and pairs are looked at one by one. Of the grams, which are ten times as many, what is known of whole words is added up; only
 * those that occur several times are looked at, as they weigh less than the sum. Filled again for every text.
 */
export class WeighedWords {
  readonly #features = new FeatureCounts();
  /** Where the words end among the features, and behind them the pairs. */
  #wordEnd = 0;
  #pairEnd = 0;
  /** The places of the grams that occur several times. */
  readonly #repeated: number[] = [];
  #unknownWords = 0;
  /** What the weights of each group are multiplied with. */
  readonly #factors = new Float64Array(GROUP_COUNT);

  /** Replaces the content by the features of a text. @returns whether it has any. */
  read(text: ReadText, model: IntentModel): boolean {
    this.#count(text);
    if (this.#features.length > 0) this.#weigh(text, model);
    return this.#features.length > 0;
  }

  /** Sets `scores` to those of every intent. */
  score({ facts }: ReadText, { bias, weights, vocabulary }: IntentModel, scores: Float64Array): void {
    const count = scores.length;
    const asWord = this.#factors[WORD_GROUP]!;
    const asGrams = this.#factors[GRAM_GROUP]!;
    scores.set(bias);
    for (let t = 0; t < facts.length; t++) {
      const { sums } = facts[t]!;
      for (let k = 0; k < count; k++) scores[k]! += asWord * sums[k]! + asGrams * sums[count + k]!;
    }
    const { rows, counts } = this.#features;
    const add = (row: number, value: number): void => {
      const factor = value * vocabulary.idf[row]! * weights.scales[row]!;
      for (let k = 0; k < count; k++) scores[k]! += factor * weights.cells[row * count + k]!;
    };
    // The sums hold no pairs, and of what occurs c times c times its weight, where 1 + ln c count.
    for (let i = 0; i < this.#wordEnd; i++)
      if (counts[i]! > 1) add(rows[i]!, asWord * (weightOf(counts[i]!) - counts[i]!));
    for (let i = this.#wordEnd; i < this.#pairEnd; i++)
      add(rows[i]!, this.#factors[PAIR_GROUP]! * weightOf(counts[i]!));
    for (let i = 0; i < this.#repeated.length; i++) {
      const place = this.#repeated[i]!;
      add(rows[place]!, asGrams * (weightOf(counts[place]!) - counts[place]!));
    }
  }

  /** What the text shares with the examples of an intent. */
  sharesOf({ facts }: ReadText, intent: number, model: IntentModel): FeatureShares {
    const { vocabulary, occurrence, weights, intents } = model;
    const { idf } = vocabulary;
    const { rows, counts } = this.#features;
    const asGrams = this.#factors[GRAM_GROUP]! ** 2;
    let known = 0;
    let knownOfBest = 0;
    let weightOfBest = 0;
    let weightAgainstBest = 0;
    const add = (row: number, weight: number): void => {
      if (occursIn(occurrence, row, intent, intents.length)) weightOfBest += weight;
      if (weights.cells[row * intents.length + intent]! < 0) weightAgainstBest += weight;
    };
    for (let i = 0; i < this.#pairEnd; i++) {
      const row = rows[i]!;
      const factor = this.#factors[i < this.#wordEnd ? WORD_GROUP : PAIR_GROUP]!;
      add(row, (factor * weightOf(counts[i]!) * idf[row]!) ** 2);
      if (i >= this.#wordEnd) continue;
      known += idf[row]!;
      if (occursIn(occurrence, row, intent, intents.length)) knownOfBest += idf[row]!;
    }
    for (let t = 0; t < facts.length; t++) {
      const { gramShares } = facts[t]!;
      weightOfBest += asGrams * gramShares[intent]!;
      weightAgainstBest += asGrams * gramShares[intents.length + intent]!;
    }
    for (let i = 0; i < this.#repeated.length; i++) {
      const place = this.#repeated[i]!;
      add(rows[place]!, asGrams * this.#surplus(place, idf));
    }
    const all = known + this.#unknownWords * (idf.at(-1) ?? 1);
    return { knownWords: known / all, wordsOfBest: knownOfBest / all, weightOfBest, weightAgainstBest };
  }

  /** (1 + ln count) · idf; each group to length 1, times the group's weight; then the whole to length 1. */
  #weigh(text: ReadText, { vocabulary: { idf } }: IntentModel): void {
    const factors = this.#factors;
    let squares = 0;
    factors[WORD_GROUP] = this.#squareOf(0, this.#wordEnd, idf);
    factors[PAIR_GROUP] = this.#squareOf(this.#wordEnd, this.#pairEnd, idf);
    factors[GRAM_GROUP] = this.#squareOfGrams(text, idf);
    for (let group = 0; group < GROUP_COUNT; group++) {
      if (factors[group] === 0) continue;
      squares += GROUP_WEIGHTS[group]! ** 2;
      factors[group] = GROUP_WEIGHTS[group]! / Math.sqrt(factors[group]!);
    }
    const scale = 1 / Math.sqrt(squares);
    for (let group = 0; group < GROUP_COUNT; group++) factors[group]! *= scale;
  }

  /** The sum of the squares of some features, before their group is weighed. */
  #squareOf(from: number, to: number, idf: Float32Array): number {
    const { rows, counts } = this.#features;
    let square = 0;
    for (let i = from; i < to; i++) square += (weightOf(counts[i]!) * idf[rows[i]!]!) ** 2;
    return square;
  }

  #squareOfGrams({ facts }: ReadText, idf: Float32Array): number {
    if (this.#features.length === this.#pairEnd) return 0;
    let square = 0;
    for (let t = 0; t < facts.length; t++) square += facts[t]!.gramSquare;
    for (let i = 0; i < this.#repeated.length; i++) square += this.#surplus(this.#repeated[i]!, idf);
    return square;
  }

  /** By what the square of a feature is more than the sum of the squares of its occurrences. */
  #surplus(place: number, idf: Float32Array): number {
    const count = this.#features.counts[place]!;
    return (weightOf(count) ** 2 - count) * idf[this.#features.rows[place]!]! ** 2;
  }

  /** Counts the features of a text, which has at most four grams for each place in a padded word. */
  #count({ normalised, facts, pairRows }: ReadText): void {
    const features = this.#features;
    features.begin(4 * (normalised.length + 3 * facts.length) + 2 * facts.length + 1);
    this.#unknownWords = 0;
    for (let t = 0; t < facts.length; t++) {
      const { row } = facts[t]!;
      if (row < 0) this.#unknownWords++;
      else features.add(row);
    }
    this.#wordEnd = features.length;
    for (let t = 0; t < pairRows.length; t++) if (pairRows[t]! >= 0) features.add(pairRows[t]!);
    this.#pairEnd = features.length;
    this.#repeated.length = 0;
    for (let t = 0; t < facts.length; t++) this.#countGrams(facts[t]!.gramRows);
  }

  #countGrams(rows: Int32Array): void {
    const features = this.#features;
    for (let i = 0; i < rows.length; i++) {
      const place = features.add(rows[i]!);
      if (place >= this.#pairEnd && features.counts[place] === 2) this.#repeated.push(place);
    }
  }
}

/**
 * How often features occur in a text. They are found by open addressing in memory that is as small as the text, so that it stays in the cache
 * whatever the size of the model. Filled again for every text.
 */
export class FeatureCounts {
  /** Each feature once, by its row of the model, in the order in which they are first met; and how often it was met. */
  rows = new Int32Array(1024);
  counts = new Int32Array(1024);
  length = 0;
  /** Places of features in `rows`. One is in use where its stamp is that of the present text. */
  #places = new Int32Array(2048);
  #stamps = new Uint32Array(2048);
  #stamp = 0;

  /** Empties it, and makes room for so many features. */
  begin(most: number): void {
    this.length = 0;
    this.#stamp = (this.#stamp + 1) >>> 0;
    if (most <= this.rows.length && this.#stamp !== 0) return;
    const room = 2 ** Math.ceil(Math.log2(Math.max(most, this.rows.length)));
    this.rows = new Int32Array(room);
    this.counts = new Int32Array(room);
    this.#places = new Int32Array(2 * room);
    this.#stamps = new Uint32Array(2 * room);
    this.#stamp = 1;
  }

  /** Counts a feature once more. @returns its place. */
  add(row: number): number {
    const mask = this.#places.length - 1;
    let slot = Math.imul(row, 0x9e_37_79_b1) >>> 12;
    for (slot &= mask; this.#stamps[slot] === this.#stamp; slot = (slot + 1) & mask) {
      const place = this.#places[slot]!;
      if (this.rows[place] !== row) continue;
      this.counts[place]! += 1;
      return place;
    }
    this.#stamps[slot] = this.#stamp;
    this.#places[slot] = this.length;
    this.rows[this.length] = row;
    this.counts[this.length] = 1;
    return this.length++;
  }
}
