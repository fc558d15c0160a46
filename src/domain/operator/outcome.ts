import type { EnforcementReason } from "../chat.ts";
import type { Turn, TurnState } from "../conversation.ts";
import type { Outcome } from "./overview.ts";

/** Facts from which an outcome is derived. */
export interface DecidedTurn {
  state: TurnState;
  enforcementReason?: EnforcementReason | null | undefined;
  /** The visitor was offered intents to choose from. */
  hasSuggestions: boolean;
}

/** The outcome of a message as the console counts it; the only definition. */
export function outcomeOf({ state, enforcementReason, hasSuggestions }: DecidedTurn): Outcome {
  if (state === "unanswered" || enforcementReason === "schema_fallback") return "failed";
  if (enforcementReason === "no_intent_match") return hasSuggestions ? "asked" : "unmatched";
  return enforcementReason ? "refused" : "answered";
}

/** The same of a whole turn. */
export function outcomeOfTurn({ state, metadata }: Pick<Turn, "state" | "metadata">): Outcome {
  const { enforcementReason, suggestions } = metadata;
  return outcomeOf({ state, enforcementReason, hasSuggestions: (suggestions?.length ?? 0) > 0 });
}
