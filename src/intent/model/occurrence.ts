import type { SparseRows } from "../features/sparse-vector.ts";

/** Which features occur in the examples of which intents: a bit for each, row by row of the weights. */
export type OccurrenceBits = Uint8Array;

/** Examples as vectors, and the intent of each. */
interface LabelledVectors {
  vectors: SparseRows;
  labels: Int32Array;
  classCount: number;
  featureCount: number;
}

export function markOccurrence({
  vectors,
  labels,
  classCount,
  featureCount,
}: LabelledVectors): OccurrenceBits {
  const bits = new Uint8Array(Math.ceil((featureCount * classCount) / 8));
  labels.forEach((label, example) => {
    for (let i = vectors.offsets[example]!; i < vectors.offsets[example + 1]!; i++) {
      const bit = vectors.rows[i]! * classCount + label;
      bits[bit >> 3]! |= 1 << (bit & 7);
    }
  });
  return bits;
}

/** Whether a feature, given by its row, occurs in an example of an intent. `intentCount` is the class count of the marked set. */
export function occursIn(bits: OccurrenceBits, row: number, intent: number, intentCount: number): boolean {
  const bit = row * intentCount + intent;
  return ((bits[bit >> 3]! >> (bit & 7)) & 1) === 1;
}
