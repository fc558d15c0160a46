/** The constants are printed by `npm run bench:intent -- --fit`. */
import type { Signal } from "./signals.ts";

/** What each column is for: a chance, and the bots that it is for. */
export const COLUMNS = [
  /** Both probabilities for a bot of one intent; there, in scope means that intent. */
  "oneIntent",
  /** The probability that a text is in scope, and that the best intent is right; see `Calibration`. */
  "inScope",
  "correct",
  /** The same for bots of many examples. */
  "inScopeOfMany",
  "correctOfMany",
] as const;

export type CoefficientColumn = (typeof COLUMNS)[number];

/**
 * Coefficients of logistic models, one column each, for the signals and the natural logarithms of the numbers of intents and of examples
 * per intent.
 */
type CoefficientTable = Readonly<Record<Signal | "lnIntents" | "lnExamples" | "constant", readonly number[]>>;

/** The columns are those of `COLUMNS`. */
export const COEFFICIENTS: CoefficientTable = {
  bestProbability: [0, 0.39, 2.91, -1.48, 0.38],
  margin: [0, 0.57, 2.61, 1.17, 3.83],
  bestScore: [8.92, 1.17, 0.91, 1.45, 0.57],
  logSumOfScores: [8.92, 3.51, 1.06, 1.02, 0.02],
  knownWordShare: [4.05, 2.3, 1.67, 3.16, 2.28],
  wordShareOfBest: [4.05, 1.21, 0.93, 2.15, 2.26],
  featureWeightOfBest: [-7.1, -0.24, -0.88, 0.09, 0.12],
  negativeEntropy: [0, 1.09, 0.31, 3.48, 3.16],
  length: [-1, -0.82, -0.01, 1.4, 1.87],
  featureWeightAgainstBest: [-0.9, 0.61, 0.37, -2.63, -2.57],
  lnIntents: [0, -0.27, -0.1, 0, 0],
  lnExamples: [-1.75, -0.86, -0.68, 0, 0],
  constant: [-7.1, 0.51, -2.24, -2.34, -4.86],
};
