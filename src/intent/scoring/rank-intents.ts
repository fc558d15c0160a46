import type { IntentScore } from "../../domain/decision.ts";
import type { IntentName } from "../../domain/ids.ts";
import type { Chances } from "../calibration/calibration.ts";

/** Scores listed in a classification, as many as receipts and `parley explain` show. */
const MAX_SCORES = 5;
const NONE = -1;

/**
 * The intents with the highest confidences, best first, at most five, each above zero. Ties are in the order of `intents`.
 * @param best index of an intent that comes first whatever its confidence.
 */
export function rankIntents(
  confidences: Float32Array,
  intents: readonly IntentName[],
  best: number = NONE,
): IntentScore[] {
  const top: number[] = best === NONE ? [] : [best];
  const fixed = top.length;
  for (let k = 0; k < confidences.length; k++) {
    if (k === best || confidences[k]! <= 0) continue;
    const confidence = confidences[k]!;
    if (top.length === MAX_SCORES && confidence <= confidences[top[MAX_SCORES - 1]!]!) continue;
    let at = Math.min(top.length, MAX_SCORES - 1);
    for (; at > fixed && confidence > confidences[top[at - 1]!]!; at--) top[at] = top[at - 1]!;
    top[at] = k;
  }
  const scores: IntentScore[] = [];
  for (let i = 0; i < top.length; i++)
    scores.push({ intent: intents[top[i]!]!, confidence: confidences[top[i]!]! });
  return scores;
}

/**
 * A confidence for every intent. The best gets `confidence`. The others share the rest of `inScope` in proportion to their probabilities;
 * none exceeds the best.
 */
export function shareChances(
  probabilities: ArrayLike<number>,
  best: number,
  { inScope, confidence }: Chances,
): Float32Array {
  const confidences = new Float32Array(probabilities.length);
  const others = 1 - probabilities[best]!;
  const factor = others > 0 ? (inScope - confidence) / others : 0;
  for (let k = 0; k < confidences.length; k++) {
    confidences[k] = k === best ? confidence : Math.min(confidence, factor * probabilities[k]!);
  }
  return confidences;
}
