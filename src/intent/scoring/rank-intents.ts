import type { IntentScore } from "../../domain/decision.ts";
import type { IntentName } from "../../domain/ids.ts";

/** Scores that a classification lists, as many as a receipt or `parley explain` shows. */
const MOST_SCORES = 5;
const NONE = -1;

/**
 * The intents with the highest confidences, best first, at most five, each above zero. Of several alike the first in `intents` comes
 * first.
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
    if (top.length === MOST_SCORES && confidences[k]! <= confidences[top.at(-1)!]!) continue;
    let at = top.length;
    while (at > fixed && confidences[k]! > confidences[top[at - 1]!]!) at--;
    top.splice(at, 0, k);
    if (top.length > MOST_SCORES) top.pop();
  }
  return top.map((k) => ({ intent: intents[k]!, confidence: confidences[k]! }));
}
