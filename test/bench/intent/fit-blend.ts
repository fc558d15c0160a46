import { solvePositiveDefinite } from "../../../src/intent/encoder/cholesky.ts";
import type { SentenceTrial } from "./sentence-trials.ts";

/** A message in scope, whose intent is known. */
type LabelledTrial = Pick<SentenceTrial, "label" | "probabilities" | "examplesPerIntent"> & {
  weight: number;
};

/** As in src/intent/sentences/blend.ts. */
const LEAST = 0.001;
/** Newton's method on three shares is exact long before. */
const STEPS = 30;
const SHARES = 3;

/** The shares of src/intent/sentences/blend.ts by which the right intents are likeliest (conditional logistic regression). */
export function fitBlend(trials: readonly LabelledTrial[]) {
  const problems = trials.map((trial) => ({ ...trial, rows: rowsOf(trial) }));
  let shares = [0.5, 0.5, 0];
  for (let step = 0; step < STEPS; step++) shares = newtonStep(problems, shares);
  const [classifier, encoder, perLnExamples] = shares;
  return { classifier: classifier!, atOneExample: encoder!, lessPerLnExamples: -perLnExamples! };
}

interface Problem {
  label: number;
  weight: number;
  /** What each share is a factor of, for each intent. */
  rows: readonly (readonly number[])[];
}

function rowsOf({ probabilities, examplesPerIntent }: LabelledTrial): Problem["rows"] {
  const { encoder, classifier } = probabilities;
  return Array.from(encoder, (probability, k) => {
    const ofEncoder = Math.log(probability + LEAST);
    const ofClassifier = Math.log((classifier?.[k] ?? 1 / encoder.length) + LEAST);
    return [ofClassifier, ofEncoder, ofEncoder * Math.log(examplesPerIntent)];
  });
}

function newtonStep(problems: readonly Problem[], shares: readonly number[]): number[] {
  const gradient = new Float64Array(SHARES);
  const cells = new Float64Array(SHARES * SHARES);
  for (const problem of problems) addDerivatives(problem, shares, gradient, cells);
  solvePositiveDefinite({ size: SHARES, cells }, gradient, 1);
  return shares.map((share, i) => share + gradient[i]!);
}

/** Of the logarithm of the right intent's probability. */
function addDerivatives(
  { label, weight, rows }: Problem,
  shares: readonly number[],
  gradient: Float64Array,
  cells: Float64Array,
): void {
  const powers = rows.map((row) => Math.exp(row.reduce((sum, value, i) => sum + shares[i]! * value, 0)));
  const total = powers.reduce((sum, power) => sum + power, 0);
  const meanOf = (value: (row: readonly number[]) => number) =>
    rows.reduce((sum, row, k) => sum + (powers[k]! / total) * value(row), 0);
  const means = shares.map((_, i) => meanOf((row) => row[i]!));
  for (let i = 0; i < SHARES; i++) {
    gradient[i]! += weight * (rows[label]![i]! - means[i]!);
    for (let j = 0; j <= i; j++) {
      cells[i * SHARES + j]! += weight * (meanOf((row) => row[i]! * row[j]!) - means[i]! * means[j]!);
    }
  }
}
