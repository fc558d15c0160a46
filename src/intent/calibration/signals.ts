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
