import type { ConversationHistory } from "../../domain/conversation.ts";
import type { IntentAssistance } from "../../domain/decision.ts";
import type { EpochMs } from "../../domain/time.ts";
import type { Message, TurnOpening } from "../message.ts";
import type { ActionPlan } from "./action-plan.ts";
import type { DecidedTurn } from "./decide-turn.ts";
import type { Stopwatch } from "./stopwatch.ts";
import type { UnderstoodMessage } from "./understand-message.ts";

/** A message that was judged and decided. */
export interface DecidedMessage extends UnderstoodMessage, DecidedTurn {
  message: Message;
  conversation: ConversationHistory;
  at: EpochMs;
  /** What is to be done for an action; absent where the bot has none. */
  action?: ActionPlan;
  /** What model servers said of it. */
  assistance?: IntentAssistance;
  /** The question that a model made of it. */
  standalone?: string;
  stopwatch: Stopwatch;
}

/** What is told of a turn as soon as it is decided. */
export function openingOf({ conversation, decision }: DecidedMessage): TurnOpening {
  return {
    conversationId: conversation.id,
    ...(decision.intent !== undefined && { intentDetected: decision.intent }),
    capabilityAllowed: decision.kind === "allowed",
  };
}
