import type { SparseRows, TrainingSet } from "../training/training-set.ts";

/** Which features occur in the examples of which intents: a bit each, row-major by feature. */
export type OccurrenceBits = Uint8Array;

export function markOccurrence({ vectors, labels, classCount, featureCount }: TrainingSet): OccurrenceBits {
  const bits = new Uint8Array(Math.ceil((featureCount * classCount) / 8));
  labels.forEach((label, example) => markRows(bits, vectors, example, classCount, label));
  return bits;
}

function markRows(
  bits: OccurrenceBits,
  { offsets, rows }: SparseRows,
  example: number,
  classCount: number,
  label: number,
): void {
  for (let i = offsets[example]!; i < offsets[example + 1]!; i++) {
    const bit = rows[i]! * classCount + label;
    bits[bit >> 3]! |= 1 << (bit & 7);
  }
}

/** Whether a feature, given by its row, occurs in an example of an intent; `intentCount` as it was when the bits were set. */
export function occursIn(bits: OccurrenceBits, row: number, intent: number, intentCount: number): boolean {
  const bit = row * intentCount + intent;
  return ((bits[bit >> 3]! >> (bit & 7)) & 1) === 1;
}
