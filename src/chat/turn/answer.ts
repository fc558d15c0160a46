import type { ChatMetadata } from "../../domain/chat.ts";
import type { TurnState } from "../../domain/conversation.ts";
import type { ServiceError } from "../../domain/errors.ts";
import type { OutputRule } from "../../governance/output/output-policy.ts";

/** The text for the visitor, with the turn's metadata about it. */
export interface Answer {
  response: string;
  responseIndex?: number;
  metadata: ChatMetadata;
}

/** The result of responding: the answer, the part of it that was sent before all callers left, or the offer of a person if no model answered. */
export type Reply =
  | { state: Extract<TurnState, "complete" | "cut">; answer: Answer }
  | { state: Extract<TurnState, "unanswered">; answer: Answer; failure: ServiceError };

const answerWith = (response: string, schemaEnforced: boolean): Answer => ({
  response,
  metadata: { capabilityAllowed: true, schemaEnforced, schemaFallbackUsed: false },
});

/** An allowed answer without a schema. */
export const freeAnswer = (response: string): Answer => answerWith(response, false);

/** An answer that satisfies its schema. */
export const validAnswer = (response: string): Answer => answerWith(response, true);

/** The replacement for an answer that fails its schema. */
export function fallbackAnswer(rule: OutputRule, schemaValidationError: string): Answer {
  const { response, metadata } = validAnswer(rule.fallbackResponse);
  const enforcementReason = "schema_fallback";
  return {
    response,
    metadata: { ...metadata, enforcementReason, schemaFallbackUsed: true, schemaValidationError },
  };
}
