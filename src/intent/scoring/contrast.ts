import { GRAM_GROUP, PAIR_GROUP } from "../features/features.ts";
import type { SparseVector } from "../features/vectorise.ts";

/** Tells a bot's examples from what people say to bots in general: a weight for each row of the model, 0 for character grams, and a constant. */
export interface Contrast {
  weights: Float32Array;
  bias: number;
}

/** Where it says neither. */
const NO_CONTRAST = 0;

/** Above 0 for what is more like the examples, below for what is more like other requests; held-out ones lie about −1 to 1. */
export function contrastOf(
  contrast: Contrast | undefined,
  { length, rows, values, groupEnds }: SparseVector,
): number {
  if (contrast === undefined) return NO_CONTRAST;
  let sum = contrast.bias;
  for (let i = 0; i < groupEnds[PAIR_GROUP]!; i++) sum += values[i]! * contrast.weights[rows[i]!]!;
  for (let i = groupEnds[GRAM_GROUP]!; i < length; i++) sum += values[i]! * contrast.weights[rows[i]!]!;
  return sum;
}
