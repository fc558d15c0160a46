import { type Calibration, SIGNALS, type Signal } from "./calibration.ts";
/** The constants are printed by `npm run bench:intent -- --fit`. */

/** The meaning of each column: a probability, and the bots for which it is used. */
export const COLUMNS = [
  /** Both probabilities for a bot of one intent; there, in scope means that intent. */
  "oneIntent",
  /** The probability that a text is in scope, and that the best intent is right; see `Calibration`. */
  "inScope",
  "correct",
  /** The same for bots of many examples. */
  "inScopeOfMany",
  "correctOfMany",
] as const;

type CoefficientColumn = (typeof COLUMNS)[number];

/**
 * Coefficients of logistic models, one column each, for the signals and the natural logarithms of the numbers of intents and of examples
 * per intent.
 */
type CoefficientTable = Readonly<Record<Signal | "lnIntents" | "lnExamples" | "constant", readonly number[]>>;

/** The columns are those of `COLUMNS`. */
const COEFFICIENTS: CoefficientTable = {
  bestProbability: [0, 0.39, 2.91, -1.48, 0.38],
  margin: [0, 0.57, 2.61, 1.17, 3.83],
  bestScore: [8.92, 1.17, 0.91, 1.45, 0.57],
  logSumOfScores: [8.92, 3.51, 1.06, 1.02, 0.02],
  knownWordShare: [4.05, 2.3, 1.67, 3.16, 2.28],
  wordShareOfBest: [4.05, 1.21, 0.93, 2.15, 2.26],
  featureWeightOfBest: [-7.1, -0.24, -0.88, 0.09, 0.12],
  negativeEntropy: [0, 1.09, 0.31, 3.48, 3.16],
  length: [-1, -0.82, -0.01, 1.4, 1.87],
  featureWeightAgainstBest: [-0.9, 0.61, 0.37, -2.63, -2.57],
  lnIntents: [0, -0.27, -0.1, 0, 0],
  lnExamples: [-1.75, -0.86, -0.68, 0, 0],
  constant: [-7.1, 0.51, -2.24, -2.34, -4.86],
};

/**
 * From so many intents and texts (examples, names, labels, descriptions) on, a bot gets the columns `…OfMany`; the other columns are fitted
 * on bots of up to so many. How a bot is trained has a bound of its own; see `training/training-set.ts`.
 */
const INTENTS_OF_MANY = 6;
export const TEXTS_OF_MANY = 2500;
/**
 * Minimum in-scope probability at which a text matches. `npm run bench:intent -- --fit` prints what simulated bots of up to 20 intents
 * accept with it.
 */
const MATCH_THRESHOLD = 0.6;
/**
 * The same for bots with many examples, whose probabilities are spread wider. Chosen by hand, below the 0.75 that 95 % of held-out examples
 * reach (printed by the same command).
 */
const MATCH_THRESHOLD_OF_MANY = 0.7;
/**
 * Share of a text's content words that has to occur in the examples; see `scoring/coverage.ts`. A small bot's few examples cannot tell
 * which words name a subject. The same command prints what simulated bots accept with and without it.
 */
const COVERAGE_NEEDED = 0.4;

/** The calibration for a bot's size. Fitting a calibration to each bot's own examples gave no improvement. */
export function calibrationFor(intentCount: number, textCount: number): Calibration {
  const intents = Math.max(1, intentCount);
  const perIntent = Math.max(1, textCount) / intents;
  if (intentCount >= INTENTS_OF_MANY && textCount >= TEXTS_OF_MANY) {
    return {
      inScope: coefficientsOf("inScopeOfMany", intents, perIntent),
      correct: coefficientsOf("correctOfMany", intents, perIntent),
      matchThreshold: MATCH_THRESHOLD_OF_MANY,
      coverageNeeded: 0,
    };
  }
  return {
    inScope: coefficientsOf(intentCount < 2 ? "oneIntent" : "inScope", intents, perIntent),
    correct: coefficientsOf(intentCount < 2 ? "oneIntent" : "correct", intents, perIntent),
    matchThreshold: MATCH_THRESHOLD,
    coverageNeeded: COVERAGE_NEEDED,
  };
}

/** A column for a bot of this size, as `Calibration` holds it. */
function coefficientsOf(name: CoefficientColumn, intents: number, examplesPerIntent: number): Float64Array {
  const column = COLUMNS.indexOf(name);
  const [constant, lnIntents, lnExamples] = [
    COEFFICIENTS.constant,
    COEFFICIENTS.lnIntents,
    COEFFICIENTS.lnExamples,
  ];
  const sized =
    constant[column]! +
    lnIntents[column]! * Math.log(intents) +
    lnExamples[column]! * Math.log(examplesPerIntent);
  return Float64Array.of(...SIGNALS.map((signal) => COEFFICIENTS[signal][column]!), sized);
}
