import type { WordKnowledge } from "../words/word-knowledge.ts";
import type { Calibration } from "./calibration.ts";
import { type CoefficientColumn, COLUMNS, WITH_MEANINGS, WITHOUT_MEANINGS } from "./coefficients.ts";
import { SIGNALS } from "./signals.ts";

/**
 * Bots with so many intents and examples have coefficients of their own. Those of all others are fitted on bots with up to this many
 * examples.
 */
const FEWEST_INTENTS = 6;
export const MANY_EXAMPLES = 2500;
/**
 * The chance of being in scope from which on a text matches. Simulated English bots of 1–20 intents with 3–15 examples each accept 94 %
 * of what is in scope with it, 25 % of what belongs to intents beside theirs, and 8 % of what comes from elsewhere (printed by
 * test/bench/intent/measure-calibration.ts, like the figures below).
 */
const MATCH_THRESHOLD = 0.6;
/** The same for bots of many examples, where chances are spread wider. Chosen by hand: 95 % of held-out examples have 0.75. */
const MATCH_THRESHOLD_OF_MANY = 0.7;
/**
 * Share of a text's subject that has to occur in the examples; see `scoring/coverage.ts`. The few examples of a small bot cannot tell
 * which words name a subject. Without this, bots of 2 intents accept 17 instead of 8 % of what comes from elsewhere where meanings are
 * known, and 30 instead of 9 % where they are not.
 */
const COVERAGE_NEEDED = { withMeanings: 0.5, withoutMeanings: 0.4 };

/** The calibration of a bot. No bot has one of its own: fitted to its examples, it gained nothing over that of bots of its size. */
export function calibrationFor(
  intentCount: number,
  exampleCount: number,
  { isWeighed, language }: WordKnowledge,
): Calibration {
  const intents = Math.max(1, intentCount);
  const perIntent = Math.max(1, exampleCount) / intents;
  if (intentCount >= FEWEST_INTENTS && exampleCount >= MANY_EXAMPLES) {
    const table = language === undefined ? WITHOUT_MEANINGS : WITH_MEANINGS;
    return {
      inScope: coefficientsOf(table, "inScopeOfMany", intents, perIntent),
      correct: coefficientsOf(table, "correctOfMany", intents, perIntent),
      matchThreshold: MATCH_THRESHOLD_OF_MANY,
      coverageNeeded: 0,
    };
  }
  const table = isWeighed ? WITH_MEANINGS : WITHOUT_MEANINGS;
  return {
    inScope: coefficientsOf(table, intentCount < 2 ? "oneIntent" : "inScope", intents, perIntent),
    correct: coefficientsOf(table, intentCount < 2 ? "oneIntent" : "correct", intents, perIntent),
    matchThreshold: MATCH_THRESHOLD,
    coverageNeeded: isWeighed ? COVERAGE_NEEDED.withMeanings : COVERAGE_NEEDED.withoutMeanings,
  };
}

/** A column for a bot of this size, as `Calibration` holds it. */
function coefficientsOf(
  table: typeof WITH_MEANINGS,
  name: CoefficientColumn,
  intents: number,
  examplesPerIntent: number,
): Float64Array {
  const column = COLUMNS.indexOf(name);
  const [constant, lnIntents, lnExamples] = [table.constant, table.lnIntents, table.lnExamples];
  const sized =
    constant[column]! +
    lnIntents[column]! * Math.log(intents) +
    lnExamples[column]! * Math.log(examplesPerIntent);
  return Float64Array.of(...SIGNALS.map((signal) => table[signal][column]!), sized);
}
