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
    bestProbability: -1.529,
    margin: -1.05,
    bestScore: 1.115,
    logSumOfScores: 5.257,
    knownWordShare: 1.768,
    wordShareOfBest: -0.918,
    featureWeightOfBest: -1.859,
    negativeEntropy: -1.252,
    length: 1.279,
    featureWeightAgainstBest: -2.402,
    rivalLead: 0.489,
    scoreWithoutStrongestWord: 0.523,
    unknownWordShare: 1.528,
    repairedWords: 1.688,
    similarityToKnown: 1.283,
    similarityToBest: -1.519,
    leastSimilarity: 1.082,
    backgroundScore: -0.024,
    blendOfBest: 0.27,
    inScope: 0.088,
    confidence: 0.227,
    blendMargin: 0.006,
    cosineToBest: 1.967,
    greatestCosine: 3.882,
    secondCosine: -0.795,
    meanCosineToTop: -2.847,
    cosineToRequest: -5.57,
    lnIntents: -0.293,
    lnExamples: -0.227,
  },
  constant: 0.211,
};
/** The chance that the best intent in the blend is the right one. */
export const CORRECT: SentenceCoefficients = {
  signals: {
    bestProbability: -1.393,
    margin: -0.1,
    bestScore: 0.179,
    logSumOfScores: 2.065,
    knownWordShare: 1.019,
    wordShareOfBest: 0.24,
    featureWeightOfBest: -0.606,
    negativeEntropy: -0.434,
    length: 0.27,
    featureWeightAgainstBest: -1.339,
    rivalLead: 2.99,
    scoreWithoutStrongestWord: -0.696,
    unknownWordShare: 1.813,
    repairedWords: 0.522,
    similarityToKnown: 0.294,
    similarityToBest: -0.844,
    leastSimilarity: -0.011,
    backgroundScore: -0.012,
    blendOfBest: 0.443,
    inScope: -0.004,
    confidence: 0.346,
    blendMargin: 0.664,
    cosineToBest: 2.144,
    greatestCosine: 2.008,
    secondCosine: -2.15,
    meanCosineToTop: -0.537,
    cosineToRequest: -3.654,
    lnIntents: 0.078,
    lnExamples: -0.454,
  },
  constant: 0.117,
};
