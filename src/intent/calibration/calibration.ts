/**
 * The inputs of a calibration's two logistic models, computed from the scores of a text. Stored models have a coefficient for each in this
 * order, so a new signal has to be added at the end, with a new `MODEL_VERSION`. "Best" is the intent with the highest score. Scores are
 * relative to the typical score: 1 is the average score of the right intent for an example.
 */
export const SIGNALS = [
  /** Softmax probability of the best intent; 0 for a bot of one intent, where it would always be 1. */
  "bestProbability",
  /** Difference between the best and the second score; 0 for a bot of one intent. */
  "margin",
  "bestScore",
  /** Log-sum-exp of all scores. */
  "logSumOfScores",
  /** Share of the words, weighted by idf, that occur in any example. */
  "knownWordShare",
  /** The same for the examples of the best intent. */
  "wordShareOfBest",
  /** Sum of the squared weights of the features that occur in examples of the best intent, 0–1. */
  "featureWeightOfBest",
  /** Negative entropy of the softmax, from −1 (uniform) to 0 (one intent only). */
  "negativeEntropy",
  /** Number of tokens, scaled from 0 (none) to 1 (twelve or more); a corrected word counts 0.7. */
  "length",
  /** Sum of the squared weights of the features with a negative weight for the best intent, 0–1. */
  "featureWeightAgainstBest",
] as const;

export type Signal = (typeof SIGNALS)[number];
export type Signals = Record<Signal, number>;

/** The signals of these names as the numbers that the logistic models take. */
export function signalVector<Name extends string>(
  names: readonly Name[],
  signals: Readonly<Record<Name, number>>,
): Float64Array {
  const vector = new Float64Array(names.length);
  for (let i = 0; i < names.length; i++) vector[i] = signals[names[i]!];
  return vector;
}

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
const MIN_TRUST = 0.1;

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
  return needed === 0 ? 1 : Math.min(1, MIN_TRUST + coverage / needed);
}
