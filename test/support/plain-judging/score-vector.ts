import type { SparseVector } from "../../../src/intent/features/sparse-vector.ts";
import type { IntentModel } from "../../../src/intent/model/intent-model.ts";

/** Sets `scores` to bias + Wᵀ · vector: one score for each intent, from weights of 8 bits. */
export function scoreVector(
  { rows, values, length }: SparseVector,
  { weights: { cells, scales }, bias }: Pick<IntentModel, "weights" | "bias">,
  scores: Float64Array,
): void {
  const count = scores.length;
  scores.set(bias);
  let i = 0;
  // Two rows at a time halve the reads and writes of scores.
  for (; i + 1 < length; i += 2) {
    const one = values[i]! * scales[rows[i]!]!;
    const other = values[i + 1]! * scales[rows[i + 1]!]!;
    const fromOne = rows[i]! * count;
    const fromOther = rows[i + 1]! * count;
    for (let k = 0; k < count; k++) scores[k]! += one * cells[fromOne + k]! + other * cells[fromOther + k]!;
  }
  if (i === length) return;
  const last = values[i]! * scales[rows[i]!]!;
  const from = rows[i]! * count;
  for (let k = 0; k < count; k++) scores[k]! += last * cells[from + k]!;
}
