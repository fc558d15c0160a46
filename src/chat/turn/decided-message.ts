import type { LoadedBot } from "../../bots/loaded-bot.ts";
import type { ConversationHistory, PastTurn } from "../../domain/conversation.ts";
import type { Decision, IntentAssistance } from "../../domain/decision.ts";
import type { EpochMs } from "../../domain/time.ts";
import { decide } from "../../governance/decide.ts";
import type { JudgedMessage } from "../../governance/judged-message.ts";
import type { Message, TurnOpening } from "../message.ts";
import { previousTurn } from "./previous-turn.ts";
import type { Stopwatch } from "./stopwatch.ts";
import type { UnderstoodMessage } from "./understand-message.ts";

/** A message that was judged and decided. */
export interface DecidedMessage extends UnderstoodMessage {
  message: Message;
  conversation: ConversationHistory;
  at: EpochMs;
  decision: Decision;
  /** What model servers said about the intent. */
  assistance?: IntentAssistance;
  stopwatch: Stopwatch;
}

/** Decides a judged message as the next turn after `turns`. Pure. */
export function decideNextTurn(
  { policy }: LoadedBot,
  judged: JudgedMessage,
  turns: readonly PastTurn[],
  at: EpochMs,
): Decision {
  return decide({ judged, policy, ...previousTurn(turns, at) });
}

/** What is told of a turn as soon as it is decided. */
export function openingOf({ conversation, decision }: DecidedMessage): TurnOpening {
  return {
    conversationId: conversation.id,
    ...(decision.intent !== undefined && { intentDetected: decision.intent }),
    capabilityAllowed: decision.kind === "allowed",
  };
}
