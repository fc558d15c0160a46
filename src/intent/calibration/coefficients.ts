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

/** The columns are those of `COLUMNS`. */
export const COEFFICIENTS: CoefficientTable = {
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
  lnIntents: [0, -0.3, -0.12, 0, 0],
  lnExamples: [-1.74, -0.85, -0.68, 0, 0],
  constant: [-6.99, 0.4, -2.4, -2.47, -5.04],
};
