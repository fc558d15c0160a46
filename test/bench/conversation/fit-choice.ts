import { solve } from "../intent/fit-logistic.ts";

/** A choice among options, with the inputs of each and whether it is right. Options with the same name are readings of the same thing. */
export interface ChoiceTrial {
  weight: number;
  options: readonly { name: string; isRight: boolean; inputs: readonly number[] }[];
}

/** Strength of the L2 penalty on coefficients of standardised inputs, in trials. */
const PULL = 1;
const MAX_STEPS = 20;
const SMALLEST_STEP = 1e-4;
/** The search ends when a step lowers the loss by less. */
const SMALLEST_GAIN = 1e-3;
/** Probabilities are not taken to be lower than this. */
const MIN_CHANCE = 1e-5;
const LEAST = 1e-30;

/**
 * Multinomial logistic regression over options that differ from trial to trial; several may be right. Newton's method
 * with the curvature of the probabilities alone, which is never negative. A step that increases the loss is halved.
 */
export function fitChoice(trials: readonly ChoiceTrial[]): number[] {
  const width = trials[0]!.options[0]!.inputs.length;
  const pulls = pullsOf(trials, width);
  let coefficients = Array.from({ length: width }, () => 0);
  let loss = lossOf(trials, coefficients, pulls);
  for (let step = 0; step < MAX_STEPS; step++) {
    const change = changeOf(trials, coefficients, pulls);
    let length = 1;
    let next = coefficients;
    let nextLoss = Infinity;
    while (!(nextLoss <= loss) && length > SMALLEST_STEP) {
      next = coefficients.map((value, i) => value - length * change[i]!);
      nextLoss = lossOf(trials, next, pulls);
      length /= 2;
    }
    if (!(nextLoss < loss - SMALLEST_GAIN)) break;
    [coefficients, loss] = [next, nextLoss];
  }
  return coefficients;
}

/** The probability of each name. */
export function chancesOf(trial: ChoiceTrial, coefficients: readonly number[]): Map<string, number> {
  const chances = new Map<string, number>();
  const ofOptions = optionChances(trial, coefficients);
  trial.options.forEach(({ name }, i) => chances.set(name, (chances.get(name) ?? 0) + ofOptions[i]!));
  return chances;
}

function optionChances({ options }: ChoiceTrial, coefficients: readonly number[]): number[] {
  const odds = options.map(({ inputs }) =>
    inputs.reduce((sum, value, i) => sum + value * coefficients[i]!, 0),
  );
  const greatest = Math.max(...odds);
  const powers = odds.map((value) => Math.exp(value - greatest));
  const total = powers.reduce((sum, value) => sum + value, 0);
  return powers.map((value) => value / total);
}

/** By the mean square of each input. */
function pullsOf(trials: readonly ChoiceTrial[], width: number): number[] {
  const squares = Array.from({ length: width }, () => 0);
  let count = 0;
  for (const { options } of trials)
    for (const { inputs } of options) {
      count++;
      inputs.forEach((value, i) => (squares[i]! += value * value));
    }
  return squares.map((sum) => PULL * (sum / count || 1));
}

function lossOf(
  trials: readonly ChoiceTrial[],
  coefficients: readonly number[],
  pulls: readonly number[],
): number {
  const penalty = coefficients.reduce((sum, value, i) => sum + (pulls[i]! * value * value) / 2, 0);
  return trials.reduce((sum, trial) => {
    const chances = optionChances(trial, coefficients);
    const right = chances.reduce((all, chance, i) => (trial.options[i]!.isRight ? all + chance : all), 0);
    return sum - trial.weight * Math.log(right + LEAST);
  }, penalty);
}

function changeOf(
  trials: readonly ChoiceTrial[],
  coefficients: readonly number[],
  pulls: readonly number[],
): Float64Array {
  const width = coefficients.length;
  const gradient = Float64Array.from(coefficients, (value, i) => pulls[i]! * value);
  const curvature = pulls.map((pull, i) =>
    Float64Array.from({ length: width }, (_, j) => (i === j ? pull + MIN_CHANCE : 0)),
  );
  for (const trial of trials) {
    const chances = optionChances(trial, coefficients);
    const right = trial.options.map(({ isRight }, i) => (isRight ? chances[i]! : 0));
    const total = Math.max(LEAST, right.reduce((sum, chance) => sum + chance, 0)); // prettier-ignore
    const means = meansOf(trial, chances, width);
    const wanted = meansOf(trial, right.map((chance) => chance / total), width); // prettier-ignore
    for (let i = 0; i < width; i++) gradient[i]! += trial.weight * (means[i]! - wanted[i]!);
    trial.options.forEach(({ inputs }, option) => {
      if (chances[option]! < MIN_CHANCE) return;
      const off = inputs.map((value, i) => value - means[i]!);
      for (let i = 0; i < width; i++)
        for (let j = 0; j < width; j++)
          curvature[i]![j]! += trial.weight * chances[option]! * off[i]! * off[j]!;
    });
  }
  return solve(curvature, gradient);
}

function meansOf({ options }: ChoiceTrial, chances: readonly number[], width: number): number[] {
  const means = Array.from({ length: width }, () => 0);
  options.forEach(({ inputs }, option) => {
    for (let i = 0; i < width; i++) means[i]! += chances[option]! * inputs[i]!;
  });
  return means;
}
