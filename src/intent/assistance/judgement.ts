import type { Classification } from "../../domain/decision.ts";
import type { IntentName } from "../../domain/ids.ts";
import { withConfidences } from "./embedding-fusion.ts";

/** How far from the threshold a judge's choice puts the chance of being in scope, on either side: clear of rounding. */
const MARGIN = 0.001;
/** What the chosen intent gets of that chance, at least: more than `isMatch` asks for. */
const CHOSEN_SHARE = 0.9;

/**
 * A classification after a judge, which is a model server, has been asked.
 * @param chosen the intent that it chose, which matches now and is the best; null where it chose none, and nothing matches now.
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
  // Rounded to 32 bits, the best one may be a little more than `raised`.
  const others = scaled(confidences.with(at, 0), Math.max(0, raised - best));
  return withConfidences(others.with(at, best), intents, raised);
}

/** The same proportions, with a sum of at most `most`. */
function scaled(confidences: Float32Array, most: number): Float32Array {
  const sum = confidences.reduce((total, confidence) => total + confidence, 0);
  return sum <= most ? confidences : confidences.map((confidence) => (confidence * most) / sum);
}
