/** The constants are printed by test/bench/intent/fit-default-calibration.ts, which says how they are fitted. */
import type { Signals } from "./signals.ts";

/** The coefficients of one logistic model, for bots of all sizes. */
export interface SizedCoefficients {
  signals: Signals;
  /** Times the natural logarithm of the number of intents. */
  lnIntents: number;
  /** Times the natural logarithm of the number of examples per intent. */
  lnExamples: number;
  constant: number;
}

export interface DefaultCoefficients {
  /** Both chances of a bot of one intent, as what is in scope is then that intent. */
  oneIntent: SizedCoefficients;
  /** The chance that a text is in scope; see `Calibration`. */
  inScope: SizedCoefficients;
  /** The chance that the best intent is the right one. */
  correct: SizedCoefficients;
}

/** Of bots in languages that are not known beforehand. */
export const WITHOUT_MEANINGS: DefaultCoefficients = {
  oneIntent: {
    signals: {
      bestProbability: 0,
      margin: 0,
      bestScore: 7.26,
      logSumOfScores: 7.26,
      knownWordShare: 0.18,
      wordShareOfBest: 0.18,
      featureWeightOfBest: -4.14,
      negativeEntropy: 0,
      length: -1.24,
      featureWeightAgainstBest: -0.13,
      rivalLead: 0,
      scoreWithoutStrongestWord: 5.63,
      unknownWordShare: -7.52,
      repairedWords: -0.41,
      similarityToKnown: 0,
      similarityToBest: 0,
      leastSimilarity: 0,
      backgroundScore: 0,
    },
    lnIntents: 0,
    lnExamples: -2.14,
    constant: -4.14,
  },
  inScope: {
    signals: {
      bestProbability: 0.21,
      margin: 0.26,
      bestScore: -0.67,
      logSumOfScores: 2.82,
      knownWordShare: 2.3,
      wordShareOfBest: 1.15,
      featureWeightOfBest: -0.55,
      negativeEntropy: 0.8,
      length: -0.67,
      featureWeightAgainstBest: 0.6,
      rivalLead: -0.64,
      scoreWithoutStrongestWord: 3.49,
      unknownWordShare: 0.02,
      repairedWords: -0.76,
      similarityToKnown: 0,
      similarityToBest: 0,
      leastSimilarity: 0,
      backgroundScore: 0,
    },
    lnIntents: -0.33,
    lnExamples: -0.81,
    constant: 0.67,
  },
  correct: {
    signals: {
      bestProbability: 3.01,
      margin: 2.45,
      bestScore: -0.97,
      logSumOfScores: 0.47,
      knownWordShare: 0.72,
      wordShareOfBest: 0.81,
      featureWeightOfBest: -1.05,
      negativeEntropy: -0.22,
      length: -0.09,
      featureWeightAgainstBest: 0.65,
      rivalLead: 0.36,
      scoreWithoutStrongestWord: 3.36,
      unknownWordShare: -1.24,
      repairedWords: -0.56,
      similarityToKnown: 0,
      similarityToBest: 0,
      leastSimilarity: 0,
      backgroundScore: 0,
    },
    lnIntents: -0.14,
    lnExamples: -0.64,
    constant: -1.53,
  },
};

/** Of bots that know what words mean, and what people say to bots in general. */
export const WITH_MEANINGS: DefaultCoefficients = {
  oneIntent: {
    signals: {
      bestProbability: 0,
      margin: 0,
      bestScore: 3.47,
      logSumOfScores: 3.47,
      knownWordShare: 0.02,
      wordShareOfBest: 0.02,
      featureWeightOfBest: 1.49,
      negativeEntropy: 0,
      length: -0.66,
      featureWeightAgainstBest: 0.11,
      rivalLead: 0,
      scoreWithoutStrongestWord: 2.84,
      unknownWordShare: -3.08,
      repairedWords: 2.35,
      similarityToKnown: 1.5,
      similarityToBest: 1.5,
      leastSimilarity: -0.33,
      backgroundScore: 3.4,
    },
    lnIntents: 0,
    lnExamples: -2.41,
    constant: -1.54,
  },
  inScope: {
    signals: {
      bestProbability: 0.4,
      margin: 1.39,
      bestScore: -0.26,
      logSumOfScores: 2.13,
      knownWordShare: 0.64,
      wordShareOfBest: 0.11,
      featureWeightOfBest: 1.32,
      negativeEntropy: 1.17,
      length: -0.68,
      featureWeightAgainstBest: 1.66,
      rivalLead: -0.22,
      scoreWithoutStrongestWord: 1.42,
      unknownWordShare: -0.45,
      repairedWords: -0.03,
      similarityToKnown: 1.62,
      similarityToBest: 0.59,
      leastSimilarity: 0.65,
      backgroundScore: 0.89,
    },
    lnIntents: -0.25,
    lnExamples: -1.3,
    constant: 0.29,
  },
  correct: {
    signals: {
      bestProbability: 2.96,
      margin: 3.06,
      bestScore: -0.73,
      logSumOfScores: 0.62,
      knownWordShare: -0.79,
      wordShareOfBest: 0.62,
      featureWeightOfBest: -0.31,
      negativeEntropy: 0.29,
      length: -0.14,
      featureWeightAgainstBest: 1.09,
      rivalLead: 0.16,
      scoreWithoutStrongestWord: 1.41,
      unknownWordShare: -1.27,
      repairedWords: -0.55,
      similarityToKnown: 0.63,
      similarityToBest: 1.04,
      leastSimilarity: 0.73,
      backgroundScore: 0.53,
    },
    lnIntents: -0.06,
    lnExamples: -0.99,
    constant: -1.48,
  },
};
