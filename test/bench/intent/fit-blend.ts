import type { SentenceTrial } from "./sentence-trials.ts";

/** A message in scope, whose intent is known. */
type LabelledTrial = Pick<SentenceTrial, "label" | "probabilities"> & { weight: number };

/** As in src/intent/sentences/blend.ts. */
const LEAST = 0.001;
/** Newton's method on two shares is exact long before. */
const STEPS = 30;

/** Shares of the encoder's and the classifier's logarithms by which the right intents are likeliest (conditional logistic regression). */
export function fitBlend(trials: readonly LabelledTrial[]): [encoder: number, classifier: number] {
  const problems = trials.map(({ label, probabilities, weight }) => ({
    label,
    weight,
    rows: logarithmsOf(probabilities),
  }));
  let shares: [number, number] = [0.5, 0.5];
  for (let step = 0; step < STEPS; step++) shares = newtonStep(problems, shares);
  return shares;
}

interface Problem {
  label: number;
  weight: number;
  /** Both logarithms of each intent. */
  rows: readonly (readonly [number, number])[];
}

function logarithmsOf({ encoder, classifier }: SentenceTrial["probabilities"]): Problem["rows"] {
  return Array.from(encoder, (probability, k) => [
    Math.log(probability + LEAST),
    Math.log((classifier?.[k] ?? 1 / encoder.length) + LEAST),
  ]);
}

function newtonStep(problems: readonly Problem[], [x, y]: readonly [number, number]): [number, number] {
  let [gx, gy, xx, xy, yy] = [0, 0, 0, 0, 0];
  for (const { label, weight, rows } of problems) {
    const powers = rows.map(([a, b]) => Math.exp(x * a + y * b));
    const total = powers.reduce((sum, power) => sum + power, 0);
    const mean = (of: (row: readonly [number, number]) => number) =>
      rows.reduce((sum, row, k) => sum + (powers[k]! / total) * of(row), 0);
    const [ma, mb] = [mean(([a]) => a), mean(([, b]) => b)];
    gx += weight * (rows[label]![0] - ma);
    gy += weight * (rows[label]![1] - mb);
    xx += weight * (mean(([a]) => a * a) - ma * ma);
    xy += weight * (mean(([a, b]) => a * b) - ma * mb);
    yy += weight * (mean(([, b]) => b * b) - mb * mb);
  }
  const determinant = xx * yy - xy * xy;
  return [x + (yy * gx - xy * gy) / determinant, y + (xx * gy - xy * gx) / determinant];
}
