import type { LoadedBot } from "../bots/loaded-bot.ts";
import type { ChatMetadata } from "../domain/chat.ts";
import type { PastTurn } from "../domain/conversation.ts";
import type { Decision, Restriction } from "../domain/decision.ts";
import type { IntentName } from "../domain/ids.ts";
import type { OutputRule } from "../governance/output/output-policy.ts";
import { refusalText } from "../governance/refusal.ts";
import { answerFromScript } from "../respond/scripted.ts";

/** What the visitor is told, and what the turn's metadata says of it. */
export interface Answer {
  response: string;
  responseIndex?: number;
  metadata: ChatMetadata;
}

/** Respond → enforce, without a model. A restricted decision reaches no responder: its answer is the refusal. */
export function answerDecision(bot: LoadedBot, decision: Decision, turns: readonly PastTurn[]): Answer {
  return decision.kind === "allowed"
    ? answerScripted(bot, decision.intent, turns)
    : refusalAnswer(bot, decision);
}

function answerScripted(bot: LoadedBot, intent: IntentName, turns: readonly PastTurn[]): Answer {
  const { text, responseIndex } = answerFromScript(bot.script, intent, turns);
  const index = responseIndex !== undefined && { responseIndex };
  const rule = bot.outputRuleFor(intent);
  if (!rule) return { ...freeAnswer(text), ...index };
  const checked = rule.enforce(text);
  return {
    ...(checked.valid ? validAnswer(checked.response) : fallbackAnswer(rule, checked.error)),
    ...index,
  };
}

function refusalAnswer(bot: LoadedBot, restriction: Restriction): Answer {
  return {
    response: refusalText(restriction, bot.policy),
    metadata: {
      capabilityAllowed: false,
      enforcementReason: restriction.reason,
      schemaEnforced: false,
      schemaFallbackUsed: false,
    },
  };
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
