import type { Turn } from "../../domain/conversation.ts";
import type { Decision, DecisionReceipt } from "../../domain/decision.ts";
import type { Outcome } from "../../domain/operator/overview.ts";

/** The facts of a turn about its decision; its text is not needed. */
export type DecidedTurnFacts = Pick<Turn, "intent" | "metadata"> &
  Partial<Pick<Turn, "state">> & { receipt: DecisionReceipt };

/** The decision of a turn, from its receipt and answer. */
export function decisionOf({ intent, metadata, receipt }: DecidedTurnFacts): Decision {
  const { enforcementReason: reason } = metadata;
  const { rule, suggestions = [], deniedBy, alsoIntents, wouldRestrict } = receipt;
  if (reason !== undefined && reason !== "schema_fallback") {
    return {
      kind: "restricted",
      reason,
      rule,
      suggestions,
      ...(intent !== undefined && { intent }),
      ...(deniedBy && { deniedBy }),
    };
  }
  return {
    kind: "allowed",
    intent: intent!,
    rule,
    ...(alsoIntents && { alsoIntents }),
    ...(wouldRestrict && { wouldRestrict }),
  };
}

/** The outcome of a decision as the console counts it. */
export function outcomeOfDecision(decision: Decision): Outcome {
  if (decision.kind === "allowed") return "answered";
  if (decision.reason !== "no_intent_match") return "refused";
  return decision.suggestions.length > 0 ? "asked" : "unmatched";
}

/** The outcome of a turn as the console counts it. */
export function outcomeOfTurn(turn: DecidedTurnFacts): Outcome {
  const isFailed = turn.state === "unanswered" || turn.metadata.enforcementReason === "schema_fallback";
  return isFailed ? "failed" : outcomeOfDecision(decisionOf(turn));
}
