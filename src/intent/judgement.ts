import type { Classification } from "../domain/decision.ts";
import type { IntentName } from "../domain/ids.ts";
import { withConfidences } from "./embedding-fusion.ts";

/** Just below a threshold. */
const BELOW = 0.999;

/** A classification after a judge has chosen: that intent matches, and no other does. `undefined`: none matches. */
export function applyJudgement(
  { confidences, pIn }: Classification,
  intents: readonly IntentName[],
  chosen: IntentName | undefined,
  matchThreshold: number,
): Classification {
  const judged = confidences.map((confidence, index) =>
    intents[index] === chosen
      ? Math.fround(Math.max(confidence, matchThreshold) * 1.000_001)
      : Math.min(confidence, matchThreshold * BELOW),
  );
  return withConfidences(judged, intents, pIn);
}
