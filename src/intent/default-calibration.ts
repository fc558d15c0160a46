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
    signals: [0, 0, 7.28, 7.28, -0.07, -0.07, -5.58, 0, -3.21, 1.07, 0, 7.36, -5.78, -1.41, 2.54, 2.54, -2.1],
    lnIntents: 0,
    lnExamples: -1.98,
    constant: -6.53,
  },
  inScope: {
    signals: [
      -0.07, 0.89, 0.45, 2.28, 0.95, 1.6, 0.04, 1.53, -0.95, 0.49, -0.44, 1.64, -0.54, -0.48, 1.91, 1.1, 0.14,
    ],
    lnIntents: -0.35,
    lnExamples: -1.31,
    constant: 1,
  },
  correct: {
    signals: [
      2.34, 3.32, -0.16, 0.52, -0.14, 1.45, -1.06, 0.76, -0.25, 0.38, -0.44, 1.03, -1, -0.41, 0.42, 1.58, 0.3,
    ],
    lnIntents: -0.07,
    lnExamples: -1.03,
    constant: -0.97,
  },
  coverageNeeded: 0.5,
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
