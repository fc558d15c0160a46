import type { ChatMetadata } from "../../domain/chat.ts";
import type { TurnState } from "../../domain/conversation.ts";
import type { OutputRule } from "../../governance/output/output-policy.ts";

/** What the visitor is told, and what the turn's metadata says of it. */
export interface Answer {
  response: string;
  responseIndex?: number;
  metadata: ChatMetadata;
}

/** What came of responding: the answer, or the part of it that somebody still waited for. */
export interface Reply {
  state: Extract<TurnState, "complete" | "cut">;
  answer: Answer;
}

/** An allowed answer that no schema judges. */
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

/** What replaces an answer that fails its schema. */
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
