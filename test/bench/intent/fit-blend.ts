import { solvePositiveDefinite } from "../../../src/intent/encoder/cholesky.ts";
import { type BlendInputs, blendTerms } from "../../../src/intent/sentences/blend.ts";

/** What is known of a message in scope, and its intent. */
export interface BlendTrial extends BlendInputs {
  /** Number of the right intent. */
  label: number;
  weight: number;
}

/** See src/intent/sentences/blend.ts. */
export interface BlendShares {
  ridge: number;
  classifier: number;
}
type Pair = readonly [ridge: number, classifier: number];

/** Newton's method on two shares is exact long before. */
const STEPS = 30;

/** The shares by which the right intents are likeliest (conditional logistic regression). */
export function fitBlend(trials: readonly BlendTrial[]): BlendShares {
  const problems = trials.map(({ label, weight, ...inputs }) => ({
    label,
    weight,
    rows: blendTerms(inputs),
  }));
  let shares: Pair = [10, 0.5];
  for (let step = 0; step < STEPS; step++) shares = newtonStep(problems, shares);
  return { ridge: shares[0], classifier: shares[1] };
}

interface Problem {
  label: number;
  weight: number;
  rows: readonly Pair[];
}

function newtonStep(problems: readonly Problem[], shares: Pair): Pair {
  const gradient = new Float64Array(2);
  const cells = new Float64Array(4);
  for (const problem of problems) addDerivatives(problem, shares, gradient, cells);
  solvePositiveDefinite({ size: 2, cells }, gradient, 1);
  return [shares[0] + gradient[0]!, shares[1] + gradient[1]!];
}

/** Of the logarithm of the right intent's probability. */
function addDerivatives(
  { label, weight, rows }: Problem,
  shares: Pair,
  gradient: Float64Array,
  cells: Float64Array,
): void {
  const odds = rows.map(([sum, logarithm]) => shares[0] * sum + shares[1] * logarithm);
  const greatest = Math.max(...odds);
  const powers = odds.map((value) => Math.exp(value - greatest));
  const total = powers.reduce((sum, power) => sum + power, 0);
  const meanOf = (value: (row: Pair) => number) =>
    rows.reduce((sum, row, k) => sum + (powers[k]! / total) * value(row), 0);
  const means = shares.map((_, i) => meanOf((row) => row[i]!));
  for (let i = 0; i < 2; i++) {
    gradient[i]! += weight * (rows[label]![i]! - means[i]!);
    for (let j = 0; j <= i; j++)
      cells[2 * i + j]! += weight * (meanOf((row) => row[i]! * row[j]!) - means[i]! * means[j]!);
  }
}
