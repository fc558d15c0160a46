import { solvePositiveDefinite } from "../../../src/intent/encoder/cholesky.ts";
import { LEAST } from "../../../src/intent/sentences/blend.ts";

/** What is known of a message in scope, and its intent. */
export interface BlendTrial {
  /** Number of the right intent. */
  label: number;
  /** By the ridge model; and probabilities by the classifier, undefined where it knows no word. */
  sums: ArrayLike<number>;
  probabilities: ArrayLike<number> | undefined;
  weight: number;
}

/** What a sum of kernels, and the logarithm of a probability, add to the log odds of an intent; see src/intent/sentences/blend.ts. */
export type BlendShares = [ridge: number, classifier: number];

/** Newton's method on two shares is exact long before. */
const STEPS = 30;

/** The shares by which the right intents are likeliest (conditional logistic regression). */
export function fitBlend(trials: readonly BlendTrial[]): BlendShares {
  const problems = trials.map(({ label, weight, ...said }) => ({ label, weight, rows: blendInputs(said) }));
  let shares: BlendShares = [10, 0.5];
  for (let step = 0; step < STEPS; step++) shares = newtonStep(problems, shares);
  return shares;
}

/** What each share is a factor of, for each intent. */
export function blendInputs({
  sums,
  probabilities,
}: Pick<BlendTrial, "sums" | "probabilities">): BlendShares[] {
  return Array.from(sums, (sum, k) => [sum, Math.log((probabilities?.[k] ?? 0) + LEAST)]);
}

interface Problem {
  label: number;
  weight: number;
  rows: readonly BlendShares[];
}

function newtonStep(problems: readonly Problem[], shares: BlendShares): BlendShares {
  const gradient = new Float64Array(2);
  const cells = new Float64Array(4);
  for (const problem of problems) addDerivatives(problem, shares, gradient, cells);
  solvePositiveDefinite({ size: 2, cells }, gradient, 1);
  return [shares[0] + gradient[0]!, shares[1] + gradient[1]!];
}

/** Of the logarithm of the right intent's probability. */
function addDerivatives(
  { label, weight, rows }: Problem,
  shares: BlendShares,
  gradient: Float64Array,
  cells: Float64Array,
): void {
  const odds = rows.map(([sum, logarithm]) => shares[0] * sum + shares[1] * logarithm);
  const greatest = Math.max(...odds);
  const powers = odds.map((value) => Math.exp(value - greatest));
  const total = powers.reduce((sum, power) => sum + power, 0);
  const meanOf = (value: (row: BlendShares) => number) =>
    rows.reduce((sum, row, k) => sum + (powers[k]! / total) * value(row), 0);
  const means = shares.map((_, i) => meanOf((row) => row[i]!));
  for (let i = 0; i < 2; i++) {
    gradient[i]! += weight * (rows[label]![i]! - means[i]!);
    for (let j = 0; j <= i; j++)
      cells[2 * i + j]! += weight * (meanOf((row) => row[i]! * row[j]!) - means[i]! * means[j]!);
  }
}
