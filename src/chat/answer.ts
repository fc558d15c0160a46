import type { ChatMetadata } from "../domain/chat.ts";
import type { PastTurn } from "../domain/conversation.ts";
import type { Decision, Permission } from "../domain/decision.ts";
import { refusalText } from "../governance/refusal.ts";
import type { LoadedBot } from "../loaded-bot.ts";
import { answerFromScript } from "../respond/scripted.ts";

/** What the visitor is told, and what the turn's metadata says of it. */
export interface Answer {
  response: string;
  responseIndex?: number;
  metadata: ChatMetadata;
}

/** Respond → enforce. A restricted decision reaches no responder: its answer is the refusal. */
export function answerDecision(bot: LoadedBot, decision: Decision, turns: readonly PastTurn[]): Answer {
  if (decision.kind === "allowed") return answerAllowed(bot, decision, turns);
  return {
    response: refusalText(decision, bot.policy),
    metadata: {
      capabilityAllowed: false,
      enforcementReason: decision.reason,
      schemaEnforced: false,
      schemaFallbackUsed: false,
    },
  };
}

function answerAllowed(bot: LoadedBot, { intent }: Permission, turns: readonly PastTurn[]): Answer {
  const { text, responseIndex } = answerFromScript(bot.script, intent, turns);
  return { ...enforceOutput(bot, intent, text), ...(responseIndex !== undefined && { responseIndex }) };
}

function enforceOutput(bot: LoadedBot, intent: Permission["intent"], text: string): Answer {
  const rule = bot.outputRuleFor(intent);
  if (!rule) {
    return {
      response: text,
      metadata: { capabilityAllowed: true, schemaEnforced: false, schemaFallbackUsed: false },
    };
  }
  const result = rule.enforce(text);
  if (result.valid) {
    return {
      response: result.response,
      metadata: { capabilityAllowed: true, schemaEnforced: true, schemaFallbackUsed: false },
    };
  }
  return {
    response: rule.fallbackResponse,
    metadata: {
      capabilityAllowed: true,
      enforcementReason: "schema_fallback",
      schemaEnforced: true,
      schemaFallbackUsed: true,
      schemaValidationError: result.error,
    },
  };
}
