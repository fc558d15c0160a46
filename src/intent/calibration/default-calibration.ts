import type { WordKnowledge } from "../words/word-knowledge.ts";
import type { Calibration } from "./calibration.ts";
import { type SizedCoefficients, WITH_MEANINGS, WITHOUT_MEANINGS } from "./default-coefficients.ts";
import { signalVector } from "./signals.ts";

/**
 * The chance of being in scope from which on a text matches. Simulated English bots of 1–20 intents with 3–15 examples each accept 94 %
 * of what is in scope with it, 25 % of what belongs to intents beside theirs, and 8 % of what comes from elsewhere (printed by
 * test/bench/intent/measure-default-calibration.ts, like the figures below).
 */
const MATCH_THRESHOLD = 0.6;
/**
 * Share of a text's subject that has to occur in the examples; see `scoring/coverage.ts`. The few examples of a small bot cannot tell
 * which words name a subject. Without this, bots of 2 intents accept 17 instead of 8 % of what comes from elsewhere where meanings are
 * known, and 30 instead of 9 % where they are not.
 */
const COVERAGE_NEEDED = { withMeanings: 0.5, withoutMeanings: 0.4 };

/** The calibration of bots with too few examples for one of their own; it depends on their size. */
export function defaultCalibration(
  intentCount: number,
  exampleCount: number,
  { isWeighed }: WordKnowledge,
): Calibration {
  const { oneIntent, inScope, correct } = isWeighed ? WITH_MEANINGS : WITHOUT_MEANINGS;
  const intents = Math.max(1, intentCount);
  const perIntent = Math.max(1, exampleCount) / intents;
  return {
    inScope: coefficientsFor(intentCount < 2 ? oneIntent : inScope, intents, perIntent),
    correct: coefficientsFor(intentCount < 2 ? oneIntent : correct, intents, perIntent),
    matchThreshold: MATCH_THRESHOLD,
    coverageNeeded: isWeighed ? COVERAGE_NEEDED.withMeanings : COVERAGE_NEEDED.withoutMeanings,
  };
}

/** The coefficients for a bot of this size, as `Calibration` holds them. */
function coefficientsFor(
  { signals, lnIntents, lnExamples, constant }: SizedCoefficients,
  intents: number,
  examplesPerIntent: number,
): Float64Array {
  const sized = constant + lnIntents * Math.log(intents) + lnExamples * Math.log(examplesPerIntent);
  return Float64Array.of(...signalVector(signals), sized);
}
