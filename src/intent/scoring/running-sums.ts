import { GRAM_GROUP, GROUP_COUNT, PAIR_GROUP, WORD_GROUP } from "../features/features.ts";
import { GROUP_WEIGHTS } from "../features/sparse-vector.ts";
import type { IntentModel } from "../model/intent-model.ts";
import type { ReadText } from "./read-text.ts";

/** Numbers kept allocated between texts (2 MB); only the longest messages to the largest bots need more. */
const MAX_KEPT = 2 ** 18;
/** Differences of sums of squares below this are rounding errors. */
const ROUNDING_ERROR = 1e-6;
const WORD_WEIGHT = GROUP_WEIGHTS[WORD_GROUP]!;
const PAIR_WEIGHT = GROUP_WEIGHTS[PAIR_GROUP]!;
const GRAM_WEIGHT = GROUP_WEIGHTS[GRAM_GROUP]!;

/**
 * Prefix sums over the tokens of a text, per group of features: the contributions of all tokens before a position to every intent's score,
 * and the squares of their weights. The sum of a span of tokens is the difference of two positions, so its cost does not depend on its
 * length. Repeated features count each time. Overwritten by the next text.
 */
export class RunningSums {
  /** By position, group and intent. */
  #scores = new Float64Array(4096);
  /** By position and group. */
  #squares = new Float64Array(128);
  #model: IntentModel | undefined;
  #intentCount = 0;
  /** Numbers per position in `#scores`. */
  #stride = 0;
  /** The span scored last, with the factors of the groups in it. */
  #from = -1;
  #to = -1;
  #asWords = 0;
  #asPairs = 0;
  #asGrams = 0;

  /** Replaces the content by the sums of a text. */
  read(text: ReadText, model: IntentModel): void {
    const places = text.facts.length + 1;
    this.#model = model;
    this.#intentCount = model.intents.length;
    this.#stride = GROUP_COUNT * this.#intentCount;
    this.#scores = withRoomFor(places * this.#stride, this.#scores);
    this.#squares = withRoomFor(places * GROUP_COUNT, this.#squares);
    this.#scores.fill(0, 0, this.#stride);
    this.#squares.fill(0, 0, GROUP_COUNT);
    for (let t = 0; t + 1 < places; t++) {
      this.#addToken(t, text, model);
      if (t > 0) this.#addPair(t, text.pairRows[t]!, model);
    }
    this.#from = -1;
  }

  /**
   * Sets `scores` to the scores of a span as if it were the whole text, times `unit`.
   * @param intents indices to score; default: all.
   */
  score(
    from: number,
    to: number,
    unit: number,
    scores: Float32Array,
    intents: readonly number[] | undefined,
  ): void {
    if (from !== this.#from || to !== this.#to) this.#weigh(from, to);
    const { bias } = this.#model!;
    const sums = this.#scores;
    const count = this.#intentCount;
    const start = from * this.#stride;
    const startPairs = startOfPairs(from, to) * this.#stride + PAIR_GROUP * count;
    const end = to * this.#stride;
    const [asWords, asPairs, asGrams] = [this.#asWords, this.#asPairs, this.#asGrams];
    const asked = intents === undefined ? count : intents.length;
    for (let i = 0; i < asked; i++) {
      const k = intents === undefined ? i : intents[i]!;
      let score = bias[k]! + asWords * (sums[end + k]! - sums[start + k]!);
      if (asPairs !== 0) score += asPairs * (sums[end + PAIR_GROUP * count + k]! - sums[startPairs + k]!);
      const gram = GRAM_GROUP * count + k;
      score += asGrams * (sums[end + gram]! - sums[start + gram]!);
      scores[k] = unit * score;
    }
  }

  /** Computes the groups' factors in a span, by which its vector has the L2 norm 1. */
  #weigh(from: number, to: number): void {
    const squares = this.#squares;
    const start = from * GROUP_COUNT;
    const end = to * GROUP_COUNT;
    const startPairs = startOfPairs(from, to) * GROUP_COUNT;
    const words = factorOf(squares[end + WORD_GROUP]! - squares[start + WORD_GROUP]!, WORD_WEIGHT);
    const pairs = factorOf(squares[end + PAIR_GROUP]! - squares[startPairs + PAIR_GROUP]!, PAIR_WEIGHT);
    const grams = factorOf(squares[end + GRAM_GROUP]! - squares[start + GRAM_GROUP]!, GRAM_WEIGHT);
    const whole =
      (words === 0 ? 0 : WORD_WEIGHT ** 2) +
      (pairs === 0 ? 0 : PAIR_WEIGHT ** 2) +
      (grams === 0 ? 0 : GRAM_WEIGHT ** 2);
    const scale = whole === 0 ? 0 : 1 / Math.sqrt(whole);
    this.#asWords = words * scale;
    this.#asPairs = pairs * scale;
    this.#asGrams = grams * scale;
    this.#from = from;
    this.#to = to;
  }

  /** Computes the sums after a token from those before it, with the token and its grams. */
  #addToken(token: number, { facts }: ReadText, { vocabulary }: IntentModel): void {
    const { row, gramSquare, sums } = facts[token]!;
    const scores = this.#scores;
    const squares = this.#squares;
    const count = this.#intentCount;
    const stride = this.#stride;
    const before = token * stride;
    const behind = before + stride;
    for (let k = 0; k < count; k++) {
      scores[behind + k] = scores[before + k]! + sums[k]!;
      scores[behind + count + k] = scores[before + count + k]!;
    }
    for (let k = 2 * count; k < stride; k++) scores[behind + k] = scores[before + k]! + sums[k - count]!;
    const idf = row < 0 ? 0 : vocabulary.idf[row]!;
    const at = token * GROUP_COUNT;
    squares[at + GROUP_COUNT + WORD_GROUP] = squares[at + WORD_GROUP]! + idf * idf;
    squares[at + GROUP_COUNT + PAIR_GROUP] = squares[at + PAIR_GROUP]!;
    squares[at + GROUP_COUNT + GRAM_GROUP] = squares[at + GRAM_GROUP]! + gramSquare;
  }

  /** Adds the pair that ends with this token. */
  #addPair(token: number, row: number, { vocabulary, weights }: IntentModel): void {
    if (row < 0) return;
    const value = vocabulary.idf[row]!;
    const scaled = value * weights.scales[row]!;
    const count = this.#intentCount;
    const at = (token + 1) * this.#stride + PAIR_GROUP * count;
    for (let k = 0; k < count; k++) this.#scores[at + k]! += scaled * weights.cells[row * count + k]!;
    this.#squares[(token + 1) * GROUP_COUNT + PAIR_GROUP]! += value * value;
  }
}

/** Memory for this many numbers: the given one if it is large enough and not too large. */
function withRoomFor(length: number, memory: Float64Array<ArrayBuffer>): Float64Array<ArrayBuffer> {
  if (length <= memory.length && memory.length <= MAX_KEPT) return memory;
  return new Float64Array(Math.max(length, Math.min(2 * length, MAX_KEPT)));
}

/** The factor that gives a group with this sum of squares its own weight. */
function factorOf(square: number, weight: number): number {
  return square < ROUNDING_ERROR ? 0 : weight / Math.sqrt(square);
}

/**
 * The first position whose pair belongs to the span. A pair ends with a token and includes the one before, so the pair of the span's first
 * token crosses its start.
 */
function startOfPairs(from: number, to: number): number {
  return from > 0 ? Math.min(from + 1, to) : from;
}
