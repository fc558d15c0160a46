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
    bestProbability: -1.75,
    margin: -0.76,
    bestScore: 0.56,
    logSumOfScores: 5.04,
    knownWordShare: 1.62,
    wordShareOfBest: -1.18,
    featureWeightOfBest: -1.52,
    negativeEntropy: -0.5,
    length: 1.26,
    featureWeightAgainstBest: -2.44,
    rivalLead: -0.01,
    scoreWithoutStrongestWord: 0.01,
    unknownWordShare: 1.41,
    repairedWords: 1.85,
    similarityToKnown: 1.72,
    similarityToBest: -2.16,
    leastSimilarity: 1.2,
    backgroundScore: -0.17,
    blendOfBest: 0.22,
    inScope: 0.09,
    confidence: 0.22,
    blendMargin: 0.36,
    cosineToBest: 2.9,
    greatestCosine: 3.88,
    secondCosine: -0.9,
    meanCosineToTop: -1.72,
    cosineToRequest: -4.95,
    lnIntents: -0.32,
    lnExamples: -0.38,
  },
  constant: 0.09,
};
/** The chance that the best intent in the blend is the right one. */
export const CORRECT: SentenceCoefficients = {
  signals: {
    bestProbability: -1.72,
    margin: -0.31,
    bestScore: -0.67,
    logSumOfScores: 3.63,
    knownWordShare: 0.75,
    wordShareOfBest: 0.01,
    featureWeightOfBest: -1.02,
    negativeEntropy: -0.35,
    length: 0.34,
    featureWeightAgainstBest: -1.9,
    rivalLead: 0.76,
    scoreWithoutStrongestWord: -1.54,
    unknownWordShare: 1.48,
    repairedWords: 1.2,
    similarityToKnown: 0.34,
    similarityToBest: -1.11,
    leastSimilarity: -0.16,
    backgroundScore: -0,
    blendOfBest: 0.46,
    inScope: 0.06,
    confidence: 0.3,
    blendMargin: 1.13,
    cosineToBest: 3.54,
    greatestCosine: 1.56,
    secondCosine: -2.3,
    meanCosineToTop: -0.66,
    cosineToRequest: -3.15,
    lnIntents: 0.01,
    lnExamples: -0.32,
  },
  constant: 0.15,
};
