import type { Feedback } from "../domain/feedback.ts";
import type { RequestId } from "../domain/ids.ts";
import type { Now } from "../domain/time.ts";
import type { FeedbackStore } from "../store/interface/handoffs.ts";
import type { TextKeeping } from "../store/sparing-turn-store.ts";
import { redactText } from "../text/redact.ts";

/** The parts that a rating uses. */
interface RatingParts {
  store: { feedback: Pick<FeedbackStore, "save"> };
  now: Now;
  /** What of texts is stored. */
  keeping: { storeMessages: TextKeeping["messages"]; redact: TextKeeping["redact"] };
}

/** Stores what a visitor thinks of an answer, with as much of the reason as of messages. @returns false when the turn is gone. */
export function rateAnswer(
  { store, now, keeping }: RatingParts,
  requestId: RequestId,
  { rating, reason }: Feedback,
): Promise<boolean> {
  const kept = keeping.storeMessages === "none" || reason === undefined ? undefined : redact(reason, keeping);
  return store.feedback.save({ requestId, rating, at: now(), ...(kept !== undefined && { reason: kept }) });
}

function redact(text: string, { redact: kinds }: RatingParts["keeping"]): string {
  return kinds.length === 0 ? text : redactText(text, kinds);
}
