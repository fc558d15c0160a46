import { SIGNALS, type Signals, signalVector } from "./signals.ts";

/** Turns the signals of a text into probabilities: two logistic models and two bounds. */
export interface Calibration {
  /** Coefficients for the probability that a text is in scope: one per signal of `SIGNALS`, the constant last. */
  inScope: Float64Array;
  /** The same for the probability that the best intent is right. */
  correct: Float64Array;
  /** In-scope probability below which a text matches nothing. */
  matchThreshold: number;
  /** Share of a text's content words (0–1) that has to occur in the examples; see `scoring/coverage.ts`. 0: no requirement. */
  coverageNeeded: number;
}

/** Calibrated probabilities, 0–1. */
export interface Chances {
  /** Probability that one of the bot's intents is right. */
  inScope: number;
  /** Probability that the best intent is right; at most `inScope`. */
  confidence: number;
}

/**
 * Factor that remains of a probability if none of a text's content words is covered. Above zero, so that the best intent can still be
 * offered in a clarifying question. Chosen by hand.
 */
const LEAST_TRUST = 0.1;

/** The probability 1 / (1 + e^−(coefficients · inputs + constant)). The constant is the last coefficient. */
export function chanceOf(inputs: Float64Array, coefficients: Float64Array): number {
  let sum = coefficients[inputs.length]!;
  for (let i = 0; i < inputs.length; i++) sum += inputs[i]! * coefficients[i]!;
  return 1 / (1 + Math.exp(-sum));
}

/** @param coverage share of the text's content words (0–1) that occur in the examples. */
export function estimateChances(signals: Signals, coverage: number, calibration: Calibration): Chances {
  const inputs = signalVector(SIGNALS, signals);
  const trust = trustIn(coverage, calibration.coverageNeeded);
  const inScope = chanceOf(inputs, calibration.inScope);
  const confidence = Math.min(inScope, chanceOf(inputs, calibration.correct));
  return { inScope: inScope * trust, confidence: confidence * trust };
}

/** The factor for probabilities, given the `coverage` of content words and the `needed` one. */
export function trustIn(coverage: number, needed: number): number {
  return needed === 0 ? 1 : Math.min(1, LEAST_TRUST + coverage / needed);
}
