/** The constants are printed by test/bench/intent/fit-sentence-calibration.ts, which says how they are fitted. */
import type { SentenceSignals } from "./sentence-signals.ts";

/** The coefficients of one logistic model. */
export interface SentenceCoefficients {
  signals: SentenceSignals;
  constant: number;
}

/** The chance that a message is in scope. */
export const IN_SCOPE: SentenceCoefficients = {
  signals: {
    bestProbability: -1.77,
    margin: -0.8,
    bestScore: 0.56,
    logSumOfScores: 4.51,
    knownWordShare: 1.48,
    wordShareOfBest: -1.34,
    featureWeightOfBest: -1.9,
    negativeEntropy: -0.39,
    length: 1.18,
    featureWeightAgainstBest: -3.04,
    rivalLead: -0.55,
    scoreWithoutStrongestWord: 0.84,
    unknownWordShare: 0.84,
    repairedWords: 1.74,
    similarityToKnown: 1.63,
    similarityToBest: -2.02,
    leastSimilarity: 1.14,
    backgroundScore: -0.06,
    blendOfBest: 0.22,
    inScope: 0.02,
    confidence: 0.22,
    blendMargin: 0.33,
    cosineToBest: 2.83,
    greatestCosine: 3.71,
    secondCosine: -1.03,
    meanCosineToTop: -1.62,
    cosineToRequest: -5.03,
    lnIntents: -0.12,
    lnExamples: -0.4,
  },
  constant: -0.07,
};
/** The chance that the best intent in the blend is the right one. */
export const CORRECT: SentenceCoefficients = {
  signals: {
    bestProbability: -1.6,
    margin: -0.29,
    bestScore: -0.6,
    logSumOfScores: 3.28,
    knownWordShare: 0.85,
    wordShareOfBest: -0.47,
    featureWeightOfBest: -1.33,
    negativeEntropy: -0.14,
    length: 0.31,
    featureWeightAgainstBest: -2.47,
    rivalLead: 0.57,
    scoreWithoutStrongestWord: -0.5,
    unknownWordShare: 0.99,
    repairedWords: 1.32,
    similarityToKnown: 0.65,
    similarityToBest: -1.23,
    leastSimilarity: 0.02,
    backgroundScore: 0.05,
    blendOfBest: 0.37,
    inScope: 0.01,
    confidence: 0.28,
    blendMargin: 1.11,
    cosineToBest: 3.2,
    greatestCosine: 1.89,
    secondCosine: -1.64,
    meanCosineToTop: -1.16,
    cosineToRequest: -3.75,
    lnIntents: 0.12,
    lnExamples: -0.4,
  },
  constant: 0.05,
};
