import { GRAM_GROUP, GROUP_COUNT, PAIR_GROUP, WORD_GROUP } from "../features/features.ts";
import { GROUP_WEIGHTS } from "../features/sparse-vector.ts";
import { type IntentModel, occursIn } from "../model/intent-model.ts";
import type { FeatureShares } from "./evidence.ts";
import type { ReadText } from "./read-text.ts";

/** Term weight of a number of occurrences: 1 + ln count. */
const weightOf = (count: number): number => (count === 1 ? 1 : 1 + Math.log(count));

/**
 * The weighted features of a text: the vector of `SparseVector`, computed from cached facts about words. Words and pairs are processed one
 * by one. Grams are ten times as many, so sums over the grams of whole words are used; only grams that occur several times are processed,
 * because they weigh less than the sum of their occurrences. Overwritten by the next text.
 */
export class WeighedWords {
  readonly #features = new FeatureCounts();
  /** Features are in the order words, pairs, grams; index after the last word. */
  #wordEnd = 0;
  #pairEnd = 0;
  /** Indices of the grams that occur several times. */
  readonly #repeated: number[] = [];
  #unknownWords = 0;
  /** Factor of each group's weights. */
  readonly #factors = new Float64Array(GROUP_COUNT);

  /** Replaces the content by the features of a text. @returns whether there are any. */
  read(text: ReadText, model: IntentModel): boolean {
    this.#count(text);
    if (this.#features.length > 0) this.#weigh(text, model);
    return this.#features.length > 0;
  }

  /** Sets `scores` to the scores of all intents. */
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
    // The sums contain no pairs, and count c occurrences c times instead of 1 + ln c times.
    for (let i = 0; i < this.#wordEnd; i++)
      if (counts[i]! > 1) add(rows[i]!, asWord * (weightOf(counts[i]!) - counts[i]!));
    for (let i = this.#wordEnd; i < this.#pairEnd; i++)
      add(rows[i]!, this.#factors[PAIR_GROUP]! * weightOf(counts[i]!));
    for (let i = 0; i < this.#repeated.length; i++) {
      const place = this.#repeated[i]!;
      add(rows[place]!, asGrams * (weightOf(counts[place]!) - counts[place]!));
    }
  }

  /** Shares of the text's words and features that occur in an intent's examples. */
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

  /** Weights features by (1 + ln count) · idf, gives each group an L2 norm of its group weight, and the vector an L2 norm of 1. */
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

  /** Sum of the squared weights of a range of features, before the group's factor. */
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

  /** Difference between the squared weight of a feature and the sum of the squares of its single occurrences. */
  #surplus(place: number, idf: Float32Array): number {
    const count = this.#features.counts[place]!;
    return (weightOf(count) ** 2 - count) * idf[this.#features.rows[place]!]! ** 2;
  }

  /** Counts the features of a text; a padded word has at most four grams per position. */
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
 * Counts of features in a text. A hash table (open addressing) of the size of the text, so that it fits into the processor's cache for
 * models of any size. Overwritten by the next text.
 */
export class FeatureCounts {
  /** Distinct features by their row in the model, in order of first occurrence, with their counts. */
  rows = new Int32Array(1024);
  counts = new Int32Array(1024);
  length = 0;
  /** Hash table of indices in `rows`. A slot is in use if its stamp is the current text's. */
  #places = new Int32Array(2048);
  #stamps = new Uint32Array(2048);
  #stamp = 0;

  /** Clears the counts and makes room for this many features. */
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

  /** Counts one occurrence. @returns the feature's index. */
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
