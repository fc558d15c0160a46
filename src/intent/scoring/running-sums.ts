import { GRAM_GROUP, GROUP_COUNT, MEANING_GROUP, PAIR_GROUP, WORD_GROUP } from "../features/features.ts";
import type { IntentModel } from "../model/intent-model.ts";
import { MEANING_DIMENSIONS } from "../words/word-meanings.ts";
import type { ReadText } from "./read-text.ts";

/** Scratch memory for the sums of one text at a time, shared by all classifiers of a thread. */
const numbers = {
  scores: new Float64Array(4096),
  squares: new Float64Array(128),
  meanings: new Float64Array(2048),
};
/** The number of the sums that the memory holds. */
let latest = 0;

/** More numbers than these, 2 MB, are given back: so many take the longest messages to the largest bots. */
const MOST_KEPT = 2 ** 18;

function roomFor(kind: keyof typeof numbers, length: number): Float64Array {
  const kept = numbers[kind];
  if (length <= kept.length) return kept;
  const larger = new Float64Array(length);
  if (length <= MOST_KEPT) numbers[kind] = larger;
  return larger;
}

/**
 * Running sums over the tokens of a text, for each group of features: what all tokens up to a place add to every intent's score, and
 * the squares of their weights. A stretch of tokens is the difference of two places, so that any stretch costs the same. Repeated
 * features count each time. They are valid until those of another text are made.
 */
export class RunningSums {
  readonly groupCount: number;
  readonly #intentCount: number;
  /** For each place, for each group, a score for each intent. */
  readonly #scores: Float64Array;
  /** For each place, one for each group that is counted. */
  readonly #squares: Float64Array;
  /** What the tokens up to each place mean, where that is weighed. */
  readonly #meanings: Float64Array | undefined;
  readonly #number = ++latest;

  constructor(text: ReadText, model: IntentModel) {
    const places = text.facts.length + 1;
    const { isWeighed } = model.knowledge;
    this.groupCount = isWeighed ? MEANING_GROUP + 1 : GROUP_COUNT;
    this.#intentCount = model.intents.length;
    this.#scores = roomFor("scores", places * this.groupCount * this.#intentCount);
    this.#squares = roomFor("squares", places * GROUP_COUNT);
    if (isWeighed) this.#meanings = roomFor("meanings", places * MEANING_DIMENSIONS);
    this.#scores.fill(0, 0, this.groupCount * this.#intentCount);
    this.#squares.fill(0, 0, GROUP_COUNT);
    this.#meanings?.fill(0, 0, MEANING_DIMENSIONS);
    for (let t = 0; t + 1 < places; t++) {
      this.#addToken(t, text, model);
      if (t > 0) this.#addPair(t, text.pairRows[t]!, model);
      if (this.#meanings) this.#addMeaning(this.#meanings, t, text.facts[t]!.meaning, model);
    }
  }

  /** @throws Error where another text has taken the memory. */
  expectValid(): void {
    if (this.#number !== latest)
      throw new Error("a scan was asked for scores after the next text was scanned");
  }

  /** Sum of the squares of a stretch's weights. */
  squareOf(group: number, from: number, to: number): number {
    if (group === MEANING_GROUP)
      return this.#meanings === undefined ? 0 : squareBetween(this.#meanings, from, to);
    const start = group === PAIR_GROUP ? startOfPairs(from, to) : from;
    return this.#squares[to * GROUP_COUNT + group]! - this.#squares[start * GROUP_COUNT + group]!;
  }

  /** Adds what a stretch adds to every intent's score, times the factor of each group, to `scores`. */
  addStretch(from: number, to: number, factors: Float64Array, scores: Float32Array): void {
    const sums = this.#scores;
    const count = this.#intentCount;
    const stride = this.groupCount * count;
    for (let group = 0; group < this.groupCount; group++) {
      const factor = factors[group]!;
      if (factor === 0) continue;
      const start = (group === PAIR_GROUP ? startOfPairs(from, to) : from) * stride + group * count;
      const end = to * stride + group * count;
      for (let k = 0; k < count; k++) scores[k]! += factor * (sums[end + k]! - sums[start + k]!);
    }
  }

  /** The same for some intents. */
  addStretchTo(
    intents: readonly number[],
    from: number,
    to: number,
    factors: Float64Array,
    scores: Float32Array,
  ): void {
    const sums = this.#scores;
    const count = this.#intentCount;
    const stride = this.groupCount * count;
    for (let group = 0; group < this.groupCount; group++) {
      const factor = factors[group]!;
      if (factor === 0) continue;
      const start = (group === PAIR_GROUP ? startOfPairs(from, to) : from) * stride + group * count;
      const end = to * stride + group * count;
      for (let i = 0; i < intents.length; i++) {
        const k = intents[i]!;
        scores[k]! += factor * (sums[end + k]! - sums[start + k]!);
      }
    }
  }

  /** Carries the sums over to the place behind a token, and adds the token and its grams. */
  #addToken(token: number, { facts }: ReadText, { vocabulary }: IntentModel): void {
    const { row, gramSquare, sums } = facts[token]!;
    const count = this.#intentCount;
    const stride = this.groupCount * count;
    const before = token * stride;
    const behind = before + stride;
    for (let k = 0; k < count; k++) {
      this.#scores[behind + k] = this.#scores[before + k]! + sums[k]!;
      this.#scores[behind + count + k] = this.#scores[before + count + k]!;
    }
    for (let k = 2 * count; k < stride; k++)
      this.#scores[behind + k] = this.#scores[before + k]! + sums[k - count]!;
    const idf = row < 0 ? 0 : vocabulary.idf[row]!;
    const at = token * GROUP_COUNT;
    this.#squares[at + GROUP_COUNT + WORD_GROUP] = this.#squares[at + WORD_GROUP]! + idf * idf;
    this.#squares[at + GROUP_COUNT + PAIR_GROUP] = this.#squares[at + PAIR_GROUP]!;
    this.#squares[at + GROUP_COUNT + GRAM_GROUP] = this.#squares[at + GRAM_GROUP]! + gramSquare;
  }

  /** Adds the pair that ends with a token. */
  #addPair(token: number, row: number, { vocabulary, weights }: IntentModel): void {
    if (row < 0) return;
    const value = vocabulary.idf[row]!;
    const scaled = value * weights.scales[row]!;
    const count = this.#intentCount;
    const at = ((token + 1) * this.groupCount + PAIR_GROUP) * count;
    for (let k = 0; k < count; k++) this.#scores[at + k]! += scaled * weights.cells[row * count + k]!;
    this.#squares[(token + 1) * GROUP_COUNT + PAIR_GROUP]! += value * value;
  }

  #addMeaning(meanings: Float64Array, token: number, word: number, { knowledge }: IntentModel): void {
    const from = token * MEANING_DIMENSIONS;
    const to = from + MEANING_DIMENSIONS;
    meanings.copyWithin(to, from, to);
    if (word >= 0) knowledge.meanings!.addTo(meanings, word, to);
  }
}

function squareBetween(meanings: Float64Array, from: number, to: number): number {
  const start = from * MEANING_DIMENSIONS;
  const end = to * MEANING_DIMENSIONS;
  let square = 0;
  for (let d = 0; d < MEANING_DIMENSIONS; d++) {
    const difference = meanings[end + d]! - meanings[start + d]!;
    square += difference * difference;
  }
  return square;
}

/**
 * The place from which on the sums of pairs are a stretch's own. A pair ends with a token and reaches back to the one before, so that the
 * first pair of a stretch belongs half to what stands before it.
 */
function startOfPairs(from: number, to: number): number {
  return from > 0 ? Math.min(from + 1, to) : from;
}
