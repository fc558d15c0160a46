import type { Classification } from "../../domain/decision.ts";
import type { IntentName } from "../../domain/ids.ts";
import { withConfidences } from "./embedding-fusion.ts";

/** Puts the chance of being in scope clear of the threshold, on either side. */
const MARGIN = 0.001;
/** What the chosen intent gets of that chance, at least. */
const CHOSEN_SHARE = 0.9;

/** A classification after a judge has chosen an intent: it matches, and is the best. `null`: nothing matches. */
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
  const others = scaled(confidences.with(at, 0), raised - best);
  return withConfidences(others.with(at, best), intents, raised);
}

/** The same proportions, with a sum of at most `most`. */
function scaled(confidences: Float32Array, most: number): Float32Array {
  const sum = confidences.reduce((total, confidence) => total + confidence, 0);
  return sum <= most ? confidences : confidences.map((confidence) => (confidence * most) / sum);
}
