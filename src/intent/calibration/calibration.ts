import { SIGNALS, type Signals, signalVector } from "./signals.ts";

/** What turns the signals of a text into chances: two logistic models, and two bounds. */
export interface Calibration {
  /** Coefficients of the chance that a text is in scope: one for each of `SIGNALS`, the constant last. */
  inScope: Float64Array;
  /** The same for the chance that the best intent is the right one. */
  correct: Float64Array;
  /** The chance of being in scope below which a text is best taken to match nothing. */
  matchThreshold: number;
  /** Share of a text's subject, 0–1, that has to occur in the examples; see `scoring/coverage.ts`. 0: none has to. */
  coverageNeeded: number;
}

/** Calibrated chances, 0–1. */
export interface Chances {
  /** That one of the bot's intents is the right one. */
  inScope: number;
  /** That the best intent is the right one; never more than `inScope`. */
  confidence: number;
}

/**
 * What is left of a chance where nothing of a text's subject is covered. Not zero, so that the best intent of such a text can still be
 * asked about. Chosen by hand.
 */
const LEAST_TRUST = 0.1;

/** The chance 1 / (1 + e^−(coefficients · inputs + constant)). The constant is the last coefficient. */
export function chanceOf(inputs: Float64Array, coefficients: Float64Array): number {
  let sum = coefficients[inputs.length]!;
  for (let i = 0; i < inputs.length; i++) sum += inputs[i]! * coefficients[i]!;
  return 1 / (1 + Math.exp(-sum));
}

/** @param coverage share of the text's subject, 0–1, that occurs in the examples. */
export function estimateChances(signals: Signals, coverage: number, calibration: Calibration): Chances {
  const inputs = signalVector(SIGNALS, signals);
  const trust = trustIn(coverage, calibration.coverageNeeded);
  const inScope = chanceOf(inputs, calibration.inScope);
  const confidence = Math.min(inScope, chanceOf(inputs, calibration.correct));
  return { inScope: inScope * trust, confidence: confidence * trust };
}

/** The factor that chances keep where a share of `coverage` of the subject is covered, and `needed` should be. */
export function trustIn(coverage: number, needed: number): number {
  return needed === 0 ? 1 : Math.min(1, LEAST_TRUST + coverage / needed);
}
