/** The constants are printed by test/bench/intent/fit-sentence-calibration.ts, which says how they are fitted. */
import type { SentenceSignal } from "./sentence-signals.ts";

/** What is added for each signal, and for every message: to the log odds of being in scope, and of the best intent in the blend being right. */
export const SENTENCE_COEFFICIENTS: Readonly<
  Record<SentenceSignal | "constant", readonly [inScope: number, correct: number]>
> = {
  bestProbability: [-1.59, -1.56],
  margin: [-0.55, -0.57],
  bestScore: [0.75, -0.58],
  logSumOfScores: [4.23, 2.18],
  knownWordShare: [0.74, 0.21],
  wordShareOfBest: [-1.42, -0.59],
  featureWeightOfBest: [-1.31, -0.58],
  negativeEntropy: [-0.53, -0.5],
  length: [1.05, 0.42],
  featureWeightAgainstBest: [-1.89, -1.57],
  blendOfBest: [0.36, 0.67],
  inScope: [-0.03, -0.06],
  confidence: [0.26, 0.35],
  cosineToBest: [1.79, 1.46],
  greatestCosine: [2.33, 1.22],
  lnIntents: [-0.07, 0.16],
  lnExamples: [-0.45, -0.37],
  constant: [-0.03, -0.07],
};
