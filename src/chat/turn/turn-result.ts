import type { Turn } from "../../domain/conversation.ts";
import type { TurnResult } from "../../metrics/bots.ts";

/** What a turn is counted as. */
export function turnResultOf({
  state,
  metadata: { enforcementReason },
  receipt: { rule, suggestions = [] },
}: Pick<Turn, "state" | "metadata" | "receipt">): TurnResult {
  if (state === "unanswered") return "model_down";
  if (enforcementReason === "no_intent_match")
    return suggestions.length > 0 ? "asked_back" : "no_intent_match";
  if (enforcementReason !== undefined) return enforcementReason;
  if (rule === "social") return "social";
  if (rule === "knowledge") return "knowledge";
  return rule === "default-intent" ? "default_intent" : "answered";
}
