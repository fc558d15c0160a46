import type { Calibration } from "./calibration.ts";
import { COEFFICIENTS, type CoefficientColumn, COLUMNS } from "./coefficients.ts";
import { SIGNALS } from "./signals.ts";

/**
 * From so many intents and texts (examples, names, labels, descriptions) on, a bot gets the columns `…OfMany`; the other columns are fitted
 * on bots of up to so many. How a bot is trained has a bound of its own; see `training/training-size.ts`.
 */
const INTENTS_OF_MANY = 6;
export const TEXTS_OF_MANY = 2500;
/**
 * In-scope probability from which on a text matches. `npm run bench:intent -- --fit` prints what simulated bots of up to 20 intents accept
 * with it.
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
