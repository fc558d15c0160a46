import type { TurnOutcome } from "../domain/conversation.ts";
import type { IntentName, RequestId } from "../domain/ids.ts";
import type { EpochMs } from "../domain/time.ts";
import type { ConversationSummary } from "./interface/conversations.ts";

export interface SummaryRow extends Omit<ConversationSummary, "latest"> {
  requestId: RequestId;
  at: EpochMs;
  input: string;
  intent: IntentName | null;
  outcome: TurnOutcome;
}

/** Whether one of some texts holds another, in whatever case. */
export function textTest(text: string | undefined): (...texts: readonly (string | undefined)[]) => boolean {
  if (text === undefined) return () => true;
  const wanted = foldCase(text);
  return (...texts) => texts.some((each = "") => foldCase(each).includes(wanted));
}

/** Not by SQLite's `LIKE`, to which "Ö" and "ö" are two letters. */
function foldCase(text: string): string {
  return text.normalize("NFKC").toLowerCase();
}

export function toSummary({
  requestId,
  at,
  input,
  intent,
  outcome,
  ...conversation
}: SummaryRow): ConversationSummary {
  return { ...conversation, latest: { requestId, at, input, intent, outcome } };
}
