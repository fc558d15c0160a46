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
    bestProbability: -2.07,
    margin: -0.66,
    bestScore: 0.08,
    logSumOfScores: 3.01,
    knownWordShare: 1.8,
    wordShareOfBest: -0.99,
    featureWeightOfBest: -1.18,
    negativeEntropy: 0.15,
    length: 1.15,
    featureWeightAgainstBest: -2.1,
    rivalLead: 2.4,
    scoreWithoutStrongestWord: 1.55,
    unknownWordShare: 1.18,
    repairedWords: 1.75,
    similarityToKnown: 1.88,
    similarityToBest: -1.9,
    leastSimilarity: 0.87,
    backgroundScore: -0.09,
    blendOfBest: 0.24,
    inScope: -0.06,
    confidence: 0.29,
    blendMargin: 0.27,
    cosineToBest: 2.44,
    greatestCosine: 3.74,
    secondCosine: -0.13,
    meanCosineToTop: -2.07,
    cosineToRequest: -4.8,
    lnIntents: -0.12,
    lnExamples: -0.53,
  },
  constant: -0.19,
};
/** The chance that the best intent in the blend is the right one. */
export const CORRECT: SentenceCoefficients = {
  signals: {
    bestProbability: -2,
    margin: -0.45,
    bestScore: -0.51,
    logSumOfScores: 2.21,
    knownWordShare: 0.98,
    wordShareOfBest: -0.54,
    featureWeightOfBest: -0.39,
    negativeEntropy: 0.12,
    length: 0.46,
    featureWeightAgainstBest: -1.81,
    rivalLead: 1.82,
    scoreWithoutStrongestWord: -0.17,
    unknownWordShare: 0.73,
    repairedWords: 1.35,
    similarityToKnown: 0.81,
    similarityToBest: -1.24,
    leastSimilarity: 0.12,
    backgroundScore: 0.01,
    blendOfBest: 0.4,
    inScope: -0.11,
    confidence: 0.41,
    blendMargin: 1.12,
    cosineToBest: 2.38,
    greatestCosine: 1.88,
    secondCosine: -0.82,
    meanCosineToTop: -1.1,
    cosineToRequest: -3.56,
    lnIntents: 0.12,
    lnExamples: -0.37,
  },
  constant: -0.18,
};
