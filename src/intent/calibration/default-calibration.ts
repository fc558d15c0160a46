import type { WordKnowledge } from "../words/word-knowledge.ts";
import type { Calibration } from "./reject.ts";

/** Coefficients as in `Calibration`; the constant grows with ln of the number of intents and of examples per intent. */
interface DefaultChance {
  signals: readonly number[];
  lnIntents: number;
  lnExamples: number;
  constant: number;
}

interface DefaultChances {
  /** Of a bot of one intent. */
  oneIntent: DefaultChance;
  inScope: DefaultChance;
  correct: DefaultChance;
  /**
   * See `Calibration`. Few examples cannot tell which words name a subject: on bots of 2 intents this lets 15 instead of 38 % of what
   * is out of scope pass.
   */
  coverageNeeded: number;
}

const WITHOUT_MEANINGS: DefaultChances = {
  oneIntent: {
    signals: [0, 0, 7.26, 7.26, 0.18, 0.18, -4.14, 0, -1.24, -0.13, 0, 5.63, -7.52, -0.41, 0, 0, 0, 0],
    lnIntents: 0,
    lnExamples: -2.14,
    constant: -4.14,
  },
  inScope: {
    signals: [
      0.21, 0.26, -0.67, 2.82, 2.3, 1.15, -0.55, 0.8, -0.67, 0.6, -0.64, 3.49, 0.02, -0.76, 0, 0, 0, 0,
    ],
    lnIntents: -0.33,
    lnExamples: -0.81,
    constant: 0.67,
  },
  correct: {
    signals: [
      3.01, 2.45, -0.97, 0.47, 0.72, 0.81, -1.05, -0.22, -0.09, 0.65, 0.36, 3.36, -1.24, -0.56, 0, 0, 0, 0,
    ],
    lnIntents: -0.14,
    lnExamples: -0.64,
    constant: -1.53,
  },
  coverageNeeded: 0.4,
};

const WITH_MEANINGS: DefaultChances = {
  oneIntent: {
    signals: [0, 0, 3.47, 3.47, 0.02, 0.02, 1.49, 0, -0.66, 0.11, 0, 2.84, -3.08, 2.35, 1.5, 1.5, -0.33, 3.4],
    lnIntents: 0,
    lnExamples: -2.41,
    constant: -1.54,
  },
  inScope: {
    signals: [
      0.4, 1.39, -0.26, 2.13, 0.64, 0.11, 1.32, 1.17, -0.68, 1.66, -0.22, 1.42, -0.45, -0.03, 1.62, 0.59,
      0.65, 0.89,
    ],
    lnIntents: -0.25,
    lnExamples: -1.3,
    constant: 0.29,
  },
  correct: {
    signals: [
      2.96, 3.06, -0.73, 0.62, -0.79, 0.62, -0.31, 0.29, -0.14, 1.09, 0.16, 1.41, -1.27, -0.55, 0.63, 1.04,
      0.73, 0.53,
    ],
    lnIntents: -0.06,
    lnExamples: -0.99,
    constant: -1.48,
  },
  coverageNeeded: 0.5,
};

/**
 * English bots of 1–20 intents with 3–15 examples each, drawn from five data sets, keep 92 % of what is in scope with it; they refuse
 * 79 % of what belongs to an intent beside theirs, and 93 % of what comes from elsewhere.
 */
const DEFAULT_MATCH_THRESHOLD = 0.6;

/**
 * The calibration of bots with too few examples for one of their own: fitted by test/bench/intent/fit-default-calibration.ts over 500
 * bots of 1–100 intents from eight data sets in four languages, which know nothing beforehand, or what words mean and what people say to
 * bots in general.
 */
export function defaultCalibration(
  intentCount: number,
  exampleCount: number,
  { isWeighed }: WordKnowledge,
): Calibration {
  const { oneIntent, inScope, correct, coverageNeeded } = isWeighed ? WITH_MEANINGS : WITHOUT_MEANINGS;
  const coefficients = ({ signals, lnIntents, lnExamples, constant }: DefaultChance) => {
    const perIntent = Math.max(1, exampleCount) / Math.max(1, intentCount);
    const offset =
      constant + lnIntents * Math.log(Math.max(1, intentCount)) + lnExamples * Math.log(perIntent);
    return Float64Array.of(...signals, offset);
  };
  return {
    inScope: coefficients(intentCount < 2 ? oneIntent : inScope),
    correct: coefficients(intentCount < 2 ? oneIntent : correct),
    matchThreshold: DEFAULT_MATCH_THRESHOLD,
    coverageNeeded,
  };
}
