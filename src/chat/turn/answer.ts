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

/** An allowed answer without a schema. */
export function freeAnswer(response: string): Answer {
  return {
    response,
    metadata: { capabilityAllowed: true, schemaEnforced: false, schemaFallbackUsed: false },
  };
}

/** An answer that satisfies its schema. */
export function validAnswer(response: string): Answer {
  return { response, metadata: { capabilityAllowed: true, schemaEnforced: true, schemaFallbackUsed: false } };
}

/** The replacement for an answer that fails its schema. */
export function fallbackAnswer(rule: OutputRule, schemaValidationError: string): Answer {
  return {
    response: rule.fallbackResponse,
    metadata: {
      capabilityAllowed: true,
      enforcementReason: "schema_fallback",
      schemaEnforced: true,
      schemaFallbackUsed: true,
      schemaValidationError,
    },
  };
}
