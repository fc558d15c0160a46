/**
 * What the scores of a text say about their own trustworthiness: the inputs of the two logistic models of a calibration. Stored models
 * hold a coefficient for each in this order, so that a new signal goes to the end and needs a new `MODEL_VERSION`. "Best" is the intent
 * with the highest score. Scores are in typical scores: 1 is what the right intent of an example scores on average.
 */
export const SIGNALS = [
  /** Share of the best intent in the softmax of the scores; 0 where a bot has one intent, as it is always 1. */
  "bestProbability",
  /** By how much the best score leads the second; 0 where a bot has one intent. */
  "margin",
  "bestScore",
  /** The logarithm of the sum of the exponentials of all scores. */
  "logSumOfScores",
  /** Share of the words, weighed by rarity, that any example holds. */
  "knownWordShare",
  /** The same for the examples of the best intent. */
  "wordShareOfBest",
  /** Sum of the squared weights of all features that examples of the best intent hold, 0–1. */
  "featureWeightOfBest",
  /** Minus the entropy of the softmax, from −1 (all intents alike) to 0 (one alone). */
  "negativeEntropy",
  /** Words and signs, from 0 (none) to 1 (twelve or more); a repaired word counts 0.7. */
  "length",
  /** Sum of the squared weights of all features that speak against the best intent, 0–1. */
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
