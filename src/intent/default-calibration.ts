import type { Calibration } from "./reject.ts";
import type { WordKnowledge } from "./word-knowledge.ts";

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
    signals: [0, 0, 7.26, 7.26, 0.16, 0.16, -4.2, 0, -1.03, -0.04, 0, 5.61, -7.49, -1.12, 0, 0, 0],
    lnIntents: 0,
    lnExamples: -2.13,
    constant: -4.2,
  },
  inScope: {
    signals: [
      0.31, 0.18, -0.55, 2.93, 2.2, 1.12, -0.73, 0.66, -0.61, 0.33, -0.5, 3.34, -0.19, -0.73, 0, 0, 0,
    ],
    lnIntents: -0.35,
    lnExamples: -0.8,
    constant: 0.84,
  },
  correct: {
    signals: [
      3.06, 2.28, -1.15, 0.83, 0.8, 0.63, -0.98, -0.23, -0.06, 0.65, 0.41, 3.31, -1.33, -0.58, 0, 0, 0,
    ],
    lnIntents: -0.17,
    lnExamples: -0.62,
    constant: -1.58,
  },
  coverageNeeded: 0.4,
};

const WITH_MEANINGS: DefaultChances = {
  oneIntent: {
    signals: [0, 0, 7.64, 7.64, 0.07, 0.07, -7.54, 0, -3.12, 1.21, 0, 7.7, -5.47, -1.44, 2.51, 2.51, -2.68],
    lnIntents: 0,
    lnExamples: -1.95,
    constant: -6.21,
  },
  inScope: {
    signals: [
      -0.02, 0.86, 0.46, 2.31, 0.87, 1.79, -0.38, 1.47, -0.86, 0.29, -0.37, 1.76, -0.52, -0.5, 1.98, 1.04,
      -0.15,
    ],
    lnIntents: -0.37,
    lnExamples: -1.29,
    constant: 1.14,
  },
  correct: {
    signals: [
      2.38, 3.3, -0.16, 0.52, -0.2, 1.61, -1.41, 0.72, -0.17, 0.22, -0.4, 1.16, -0.98, -0.43, 0.45, 1.55,
      0.13,
    ],
    lnIntents: -0.09,
    lnExamples: -1.01,
    constant: -0.86,
  },
  coverageNeeded: 0.3,
};

/**
 * On small bots drawn from many data sets this keeps about 94 % of what is in scope, and refuses 71 % of what is not (77 % with
 * meanings).
 */
const DEFAULT_MATCH_THRESHOLD = 0.6;

/**
 * The calibration of bots with too few examples for one of their own: fitted by test/bench/intent/fit-default-calibration.ts over 500
 * bots of 1–100 intents from eight data sets in four languages, of which five in English for bots that weigh what words mean. With one half
 * fitted, chance and truth differ by 0.01 on the other.
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
