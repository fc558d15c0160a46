import type { LoadedBot } from "../bots/loaded-bot.ts";
import type { Feedback } from "../domain/feedback.ts";
import type { RequestId } from "../domain/ids.ts";
import type { Now } from "../domain/time.ts";
import type { Ratings } from "../store/interface/store.ts";
import type { TextKeeping } from "../store/sparing-turn-store.ts";
import { redactText } from "../text/personal-data.ts";
import { type RecipientParts, recipientsOf } from "./notices/recipients.ts";

/** The parts that a rating uses. */
interface RatingParts {
  store: { feedback: Pick<Ratings, "save"> };
  now: Now;
  /** Determines which texts are stored. */
  notifier: RecipientParts & { nudge: () => void };
  keeping: { storeMessages: TextKeeping["messages"]; redact: TextKeeping["redact"] };
}

/** Stores a visitor's rating; its reason is stored under the same rules as messages. @returns false if the turn is gone. */
export async function rateAnswer(
  { store, now, keeping, notifier }: RatingParts,
  { bot, requestId }: { bot: LoadedBot; requestId: RequestId },
  { rating, reason }: Feedback,
): Promise<boolean> {
  const kept = keeping.storeMessages === "none" || reason === undefined ? undefined : redact(reason, keeping);
  const stored = await store.feedback.save(
    { requestId, rating, at: now(), ...(kept !== undefined && { reason: kept }) },
    recipientsOf(notifier, bot.document, "feedback.given"),
  );
  notifier.nudge();
  return stored;
}

function redact(text: string, { redact: kinds }: RatingParts["keeping"]): string {
  return kinds.length === 0 ? text : redactText(text, kinds);
}
