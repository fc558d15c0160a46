/** The constants are printed by test/bench/intent/fit-calibration.ts, which says how they are fitted. */
import type { Signal } from "./signals.ts";

/** What each column is for: a chance, and the bots that it is for. */
export const COLUMNS = [
  /** Both chances of a bot of one intent, as what is in scope is then that intent. */
  "oneIntent",
  /** The chance that a text is in scope, and that the best intent is the right one; see `Calibration`. */
  "inScope",
  "correct",
  /** The same of bots of many examples. */
  "inScopeOfMany",
  "correctOfMany",
] as const;

export type CoefficientColumn = (typeof COLUMNS)[number];

/** Coefficients of logistic models, a column each. Besides signals, natural logarithms of intents and of examples per intent count. */
type CoefficientTable = Readonly<Record<Signal | "lnIntents" | "lnExamples" | "constant", readonly number[]>>;

/** Of bots in languages that are not known beforehand. The columns are those of `COLUMNS`. */
export const WITHOUT_MEANINGS: CoefficientTable = {
  bestProbability: [0, 0.39, 2.98, -1.54, 0.24],
  margin: [0, 0.46, 2.54, 1.15, 3.91],
  bestScore: [8.72, 1.03, 0.81, 1.48, 0.59],
  logSumOfScores: [8.72, 3.77, 1.28, 1.07, 0.07],
  knownWordShare: [4.03, 2.28, 1.64, 2.79, 2.19],
  wordShareOfBest: [4.03, 1.32, 1.12, 2.37, 2.46],
  featureWeightOfBest: [-6.99, -0.31, -1.03, 0.13, 0.08],
  negativeEntropy: [0, 1.04, 0.19, 3.54, 3.07],
  length: [-0.9, -0.73, 0.02, 1.74, 2.08],
  featureWeightAgainstBest: [-0.97, 0.57, 0.42, -2.75, -2.66],
  similarityToKnown: [0, 0, 0, 0, 0],
  similarityToBest: [0, 0, 0, 0, 0],
  leastSimilarity: [0, 0, 0, 0, 0],
  lnIntents: [0, -0.3, -0.12, 0, 0],
  lnExamples: [-1.74, -0.85, -0.68, 0, 0],
  constant: [-6.99, 0.4, -2.4, -2.47, -5.04],
};

/** Of bots that know what words mean. */
export const WITH_MEANINGS: CoefficientTable = {
  bestProbability: [0, -0.11, 2.42, -1.48, 0.34],
  margin: [0, 1.02, 2.83, 1.22, 4],
  bestScore: [6.35, 0.91, 0.3, 1.33, 0.41],
  logSumOfScores: [6.35, 2.89, 1.16, 0.91, -0.09],
  knownWordShare: [2.91, 1.03, 0.25, 2.23, 1.4],
  wordShareOfBest: [2.91, 1, 1.16, 1.5, 1.59],
  featureWeightOfBest: [-2.04, 0.79, -0.58, -0.75, -0.77],
  negativeEntropy: [0, 1.67, 0.9, 3.29, 2.87],
  length: [-0.23, -0.56, 0.09, 1.5, 1.98],
  featureWeightAgainstBest: [0.09, 1.33, 1.05, -2.59, -2.5],
  similarityToKnown: [2.85, 2.4, 1.12, -0.71, -0.98],
  similarityToBest: [2.85, 1.18, 1.48, 2.83, 3.13],
  leastSimilarity: [-0.6, 0.59, 0.66, 0.54, 0.39],
  lnIntents: [0, -0.27, -0.07, 0, 0],
  lnExamples: [-1.87, -1.23, -0.97, 0, 0],
  constant: [-10.19, -0.94, -2.89, -2.33, -4.79],
};
