import { chanceOf } from "../../../src/intent/calibration/calibration.ts";

/** A trial: its inputs, its outcome, and its weight. */
export interface Trial {
  inputs: Float64Array;
  happened: boolean;
  weight: number;
}

/** Maximum number of steps; Newton's method doubles the digits with each step, so some ten are usual. */
const MAX_STEPS = 25;
/** A shorter step, of the whole one, changes no coefficient in the digits that matter. */
const SMALLEST_STEP = 1e-6;
/** The search ends when a step lowers the mean loss by less. */
const SMALLEST_GAIN = 1e-9;
/** Least curvature that a trial adds, so that the equations can be solved if all probabilities are near 0 or 1. */
const SMALLEST_CURVATURE = 1e-6;

/**
 * Logistic regression by Newton's method. A step that increases the loss is halved until it does not.
 * @param centre the first coefficients, towards which the result is pulled.
 * @param pull strength of the L2 penalty on the distance from `centre`; all trials together weigh 1.
 */
export function fitLogistic(trials: readonly Trial[], centre: Float64Array, pull: number): Float64Array {
  let coefficients: Float64Array = centre.slice();
  let loss = lossOf(trials, coefficients, centre, pull);
  for (let step = 0; step < MAX_STEPS; step++) {
    const { gradient, curvature } = differentiate(trials, coefficients);
    for (let i = 0; i < centre.length; i++) {
      gradient[i]! += pull * (coefficients[i]! - centre[i]!);
      curvature[i]![i]! += pull;
    }
    const change = solve(curvature, gradient);
    let length = 1;
    let next = moved(coefficients, change, length);
    let nextLoss = lossOf(trials, next, centre, pull);
    while (!(nextLoss <= loss) && length > SMALLEST_STEP) {
      length /= 2;
      next = moved(coefficients, change, length);
      nextLoss = lossOf(trials, next, centre, pull);
    }
    if (!(nextLoss < loss - SMALLEST_GAIN)) break;
    [coefficients, loss] = [next, nextLoss];
  }
  return coefficients;
}

function moved(from: Float64Array, change: Float64Array, length: number): Float64Array {
  return from.map((value, i) => value - length * change[i]!);
}

/** Mean loss (negative log-likelihood), and the penalty. */
function lossOf(
  trials: readonly Trial[],
  coefficients: Float64Array,
  centre: Float64Array,
  pull: number,
): number {
  let sum = 0;
  let total = 0;
  for (const { inputs, happened, weight } of trials) {
    const chance = chanceOf(inputs, coefficients);
    sum -= weight * Math.log(Math.max(1e-300, happened ? chance : 1 - chance));
    total += weight;
  }
  const distance = coefficients.reduce((squares, value, i) => squares + (value - centre[i]!) ** 2, 0);
  return sum / total + (pull * distance) / 2;
}

/** First and second derivatives of the mean loss, the penalty aside. */
function differentiate(trials: readonly Trial[], coefficients: Float64Array) {
  const size = coefficients.length;
  const total = trials.reduce((sum, trial) => sum + trial.weight, 0);
  const gradient = new Float64Array(size);
  const curvature = Array.from({ length: size }, () => new Float64Array(size));
  for (const { inputs, happened, weight } of trials) {
    const chance = chanceOf(inputs, coefficients);
    const slope = ((chance - (happened ? 1 : 0)) * weight) / total;
    const bend = (Math.max(SMALLEST_CURVATURE, chance * (1 - chance)) * weight) / total;
    for (let i = 0; i < size; i++) {
      const x = i === size - 1 ? 1 : inputs[i]!;
      gradient[i]! += slope * x;
      for (let j = 0; j <= i; j++) curvature[i]![j]! += bend * x * (j === size - 1 ? 1 : inputs[j]!);
    }
  }
  for (let i = 0; i < size; i++) for (let j = i + 1; j < size; j++) curvature[i]![j] = curvature[j]![i]!;
  return { gradient, curvature };
}

/** Solves a symmetric, positive definite system by Gaussian elimination; overwrites the matrix. */
export function solve(matrix: Float64Array[], right: Float64Array): Float64Array {
  const size = right.length;
  const result = right.slice();
  for (let pivot = 0; pivot < size; pivot++) {
    for (let row = pivot + 1; row < size; row++) {
      const factor = matrix[row]![pivot]! / matrix[pivot]![pivot]!;
      for (let column = pivot; column < size; column++)
        matrix[row]![column]! -= factor * matrix[pivot]![column]!;
      result[row]! -= factor * result[pivot]!;
    }
  }
  for (let row = size - 1; row >= 0; row--) {
    for (let column = row + 1; column < size; column++)
      result[row]! -= matrix[row]![column]! * result[column]!;
    result[row]! /= matrix[row]![row]!;
  }
  return result;
}
