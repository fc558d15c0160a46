import type { Classification } from "../../domain/decision.ts";
import type { IntentName } from "../../domain/ids.ts";
import { withConfidences } from "./embedding-fusion.ts";

/** Distance from the threshold to which a judge's choice moves the in-scope probability; greater than rounding errors. */
const MARGIN = 0.001;
/** Minimum share of that probability for the chosen intent; more than `isMatch` requires. */
const CHOSEN_SHARE = 0.9;

/**
 * The classification after asking a judge, which is a model server. @param chosen the intent it chose, which then matches and is the best;
 * null if it chose none, so that nothing matches.
 */
export function applyJudgement(
  { confidences, inScope }: Classification,
  intents: readonly IntentName[],
  chosen: IntentName | null,
  matchThreshold: number,
): Classification {
  const at = intents.findIndex((intent) => intent === chosen);
  if (at < 0) {
    const lowered = Math.max(0, Math.min(inScope, matchThreshold - MARGIN));
    return withConfidences(scaled(confidences, lowered), intents, lowered);
  }
  const raised = Math.min(1, Math.max(inScope, matchThreshold + MARGIN));
  const best = Math.max(confidences[at]!, raised * CHOSEN_SHARE);
  // Rounded to 32 bits, the best value may slightly exceed `raised`.
  const others = scaled(confidences.with(at, 0), Math.max(0, raised - best));
  return withConfidences(others.with(at, best), intents, raised);
}

/** The same proportions with a sum of at most `most`. */
function scaled(confidences: Float32Array, most: number): Float32Array {
  const sum = confidences.reduce((total, confidence) => total + confidence, 0);
  return sum <= most ? confidences : confidences.map((confidence) => (confidence * most) / sum);
}
