import { solvePositiveDefinite } from "../../../src/intent/encoder/cholesky.ts";
import { type BlendInputs, type BlendShares, classifierTerms } from "../../../src/intent/sentences/blend.ts";

/** Inputs of a message in scope, and its intent. */
export interface BlendTrial extends BlendInputs {
  /** Number of the right intent. */
  label: number;
  weight: number;
}

/** Maximum number of steps; Newton's method on three shares is exact long before. */
const STEPS = 30;
const SHARES = 3;

/** The shares of src/intent/sentences/blend.ts by which the right intents are likeliest (conditional logistic regression). */
export function fitBlend(trials: readonly BlendTrial[]): BlendShares {
  const problems = trials.map((trial) => ({ ...trial, rows: termsOf(trial) }));
  let shares = [10, 0, 0.5];
  for (let step = 0; step < STEPS; step++) shares = newtonStep(problems, shares);
  const [ridge, perLnTexts, classifier] = shares;
  return { ridge: ridge!, lessPerLnTexts: -perLnTexts!, classifier: classifier! };
}

interface Problem {
  label: number;
  weight: number;
  /** The values that each share multiplies, for each intent. */
  rows: readonly (readonly number[])[];
}

function termsOf(trial: BlendTrial): Problem["rows"] {
  const logarithms = classifierTerms(trial);
  return Array.from(trial.sums, (sum, k) => [sum, sum * Math.log(trial.textsPerIntent), logarithms[k]!]);
}

function newtonStep(problems: readonly Problem[], shares: readonly number[]): number[] {
  const gradient = new Float64Array(SHARES);
  const cells = new Float64Array(SHARES * SHARES);
  for (const problem of problems) addDerivatives(problem, shares, gradient, cells);
  solvePositiveDefinite({ size: SHARES, cells }, gradient, 1);
  return shares.map((share, i) => share + gradient[i]!);
}

/** Derivatives of the logarithm of the right intent's probability. */
function addDerivatives(
  { label, weight, rows }: Problem,
  shares: readonly number[],
  gradient: Float64Array,
  cells: Float64Array,
): void {
  const odds = rows.map((row) => row.reduce((sum, value, i) => sum + shares[i]! * value, 0));
  const greatest = Math.max(...odds);
  const powers = odds.map((value) => Math.exp(value - greatest));
  const total = powers.reduce((sum, power) => sum + power, 0);
  const meanOf = (value: (row: readonly number[]) => number) =>
    rows.reduce((sum, row, k) => sum + (powers[k]! / total) * value(row), 0);
  const means = shares.map((_, i) => meanOf((row) => row[i]!));
  for (let i = 0; i < SHARES; i++) {
    gradient[i]! += weight * (rows[label]![i]! - means[i]!);
    for (let j = 0; j <= i; j++)
      cells[i * SHARES + j]! += weight * (meanOf((row) => row[i]! * row[j]!) - means[i]! * means[j]!);
  }
}
