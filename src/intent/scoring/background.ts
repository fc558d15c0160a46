import { GRAM_GROUP, PAIR_GROUP } from "../features/features.ts";
import type { SparseVector } from "../features/sparse-vector.ts";
import type { BackgroundClass } from "../model/background-class.ts";

/** Where there is no background class, a text is like neither. */
const LIKE_NEITHER = 0;

/**
 * How much more a weighed text is like the bot's examples than like the background, about −1 to 1. Character grams are passed over, as
 * they have no weight.
 */
export function backgroundScore(
  background: BackgroundClass | undefined,
  { length, rows, values, groupEnds }: SparseVector,
): number {
  if (background === undefined) return LIKE_NEITHER;
  let sum = background.bias;
  for (let i = 0; i < groupEnds[PAIR_GROUP]!; i++) sum += values[i]! * background.weights[rows[i]!]!;
  for (let i = groupEnds[GRAM_GROUP]!; i < length; i++) sum += values[i]! * background.weights[rows[i]!]!;
  return sum;
}
