import { GROUP_COUNT, PAIR_GROUP } from "../../../src/intent/features/features.ts";
import type { IntentModel } from "../../../src/intent/model/intent-model.ts";
import type { QuantisedMatrix } from "../../../src/intent/model/quantise.ts";

/**
 * Running sums over the tokens of a text, for each group of features: the contribution of all tokens up to a position to every intent's score, and the
 * squares of their weights. A stretch of tokens is the difference of two positions, so that every stretch costs the same. Repeated features
 * count each time.
 */
export class RunningSums {
  readonly #intentCount: number;
  readonly #scores: Float32Array[];
  readonly #squares: Float32Array[];

  constructor(tokenCount: number, { intents }: IntentModel) {
    this.#intentCount = intents.length;
    this.#scores = Array.from(
      { length: GROUP_COUNT },
      () => new Float32Array((tokenCount + 1) * this.#intentCount),
    );
    this.#squares = Array.from({ length: GROUP_COUNT }, () => new Float32Array(tokenCount + 1));
  }

  /** Copies the sums to the position after a token; to be called before the token's features are added. */
  advance(token: number): void {
    const from = token * this.#intentCount;
    for (const sums of this.#scores)
      sums.copyWithin(from + this.#intentCount, from, from + this.#intentCount);
    for (const sums of this.#squares) sums[token + 1] = sums[token]!;
  }

  /** Adds a feature, given by its hash, that ends with a token. */
  add(group: number, token: number, hash: number, { vocabulary, weights }: IntentModel): void {
    const row = vocabulary.index.find(hash);
    if (row < 0) return;
    const value = vocabulary.idf[row]!;
    this.#addRow(group, token, row, value, weights);
    this.#squares[group]![token + 1]! += value * value;
  }

  /** Sum of the squares of a stretch's weights. */
  squareOf(group: number, from: number, to: number): number {
    return this.#squares[group]![to]! - this.#squares[group]![startOf(group, from, to)]!;
  }

  /** Adds a stretch's contribution to every intent's score, times `factor`, to `scores`. */
  addStretch(group: number, from: number, to: number, factor: number, scores: Float32Array): void {
    const sums = this.#scores[group]!;
    const end = to * this.#intentCount;
    const start = startOf(group, from, to) * this.#intentCount;
    for (let k = 0; k < this.#intentCount; k++) scores[k]! += factor * (sums[end + k]! - sums[start + k]!);
  }

  #addRow(
    group: number,
    token: number,
    row: number,
    value: number,
    { cells, scales }: QuantisedMatrix,
  ): void {
    const scaled = value * scales[row]!;
    const sums = this.#scores[group]!;
    const to = (token + 1) * this.#intentCount;
    const from = row * this.#intentCount;
    for (let k = 0; k < this.#intentCount; k++) sums[to + k]! += scaled * cells[from + k]!;
  }
}

/**
 * Minimum the position at which the sums belong to a stretch only. A pair ends with a token and includes the one before, so that the first pair of a
 * stretch lies half outside it.
 */
function startOf(group: number, from: number, to: number): number {
  return group === PAIR_GROUP && from > 0 ? Math.min(from + 1, to) : from;
}
