import type { LoadedBot } from "../bots/loaded-bot.ts";
import type { ConversationHistory, Turn } from "../domain/conversation.ts";
import type { Decision, IntentAssistance } from "../domain/decision.ts";
import type { RequestId } from "../domain/ids.ts";
import type { EpochMs } from "../domain/time.ts";
import type { JudgedMessage } from "../governance/judged-message.ts";
import type { Runtime } from "../runtime.ts";
import type { IdempotencyKey } from "../store/idempotency.ts";
import type { Answer } from "./answer.ts";
import { receiptOf } from "./receipt.ts";
import type { Stopwatch } from "./stopwatch.ts";

/** What a turn tells before its answer is complete. */
export interface TurnOpening {
  conversationId: string;
  intentDetected?: string;
  capabilityAllowed: boolean;
}

/** Follows a turn while it runs. */
export interface TurnFollower {
  decided(opening: TurnOpening): void;
  /** A piece of the response; together they are all of it. */
  said(text: string): void;
}

/** An admitted message. */
export interface Message {
  bot: LoadedBot;
  requestId: RequestId;
  input: string;
  conversationId?: string;
  idempotencyKey?: IdempotencyKey;
  /** Aborts when nobody waits for the answer any more. */
  left?: AbortSignal;
  follower?: TurnFollower;
}

export type TurnRuntime = Pick<
  Runtime,
  | "now"
  | "randomBytes"
  | "store"
  | "lanes"
  | "metrics"
  | "models"
  | "embeddingIndexes"
  | "log"
  | "conversationsNotBefore"
>;

/** A message that was judged and decided. */
export interface DecidedMessage {
  message: Message;
  conversation: ConversationHistory;
  at: EpochMs;
  judged: JudgedMessage;
  decision: Decision;
  /** What model servers said about the intent. */
  assistance?: IntentAssistance;
  stopwatch: Stopwatch;
}

/** A turn as it is stored. */
export function turnOf(
  { message, at, judged, decision, assistance, stopwatch }: DecidedMessage,
  answer: Answer,
  state: Turn["state"] = "complete",
): Turn {
  const { bot, requestId, input } = message;
  return {
    requestId,
    at,
    botVersion: bot.version,
    state,
    input,
    ...answer,
    ...(decision.intent !== undefined && { intent: decision.intent }),
    receipt: {
      ...receiptOf(bot, judged, decision, stopwatch.lapsMs),
      ...(assistance && { assistance }),
    },
  };
}

export function openingOf({ conversation, decision }: DecidedMessage): TurnOpening {
  return {
    conversationId: conversation.id,
    ...(decision.intent !== undefined && { intentDetected: decision.intent }),
    capabilityAllowed: decision.kind === "allowed",
  };
}
