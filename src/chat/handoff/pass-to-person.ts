import type { ChatResponse } from "../../domain/chat.ts";
import type { ConversationHistory, Turn } from "../../domain/conversation.ts";
import type { EpochMs } from "../../domain/time.ts";
import type { Handoffs } from "../../store/interface/store.ts";
import { chatResponseOf, KeyTaken, type Listener, type Message } from "../message.ts";

/** The parts that a message to an operator uses. */
export interface PassParts {
  handoffs: Pick<Handoffs, "recordLive">;
  /** Called when there is a new message for the operator. */
  onSaid: () => void;
}

/**
 * Passes a message to the operator who has taken over: it is stored but not counted or judged, and the bot does not answer.
 *
 * @returns undefined if the operator has left; nothing was written then, and the bot must answer.
 * @throws ServiceError STORAGE_UNAVAILABLE
 * @throws KeyTaken
 */
export async function passToPerson(
  { handoffs, onSaid }: PassParts,
  message: Message,
  conversation: ConversationHistory,
  at: EpochMs,
  { follower }: Listener,
): Promise<ChatResponse | undefined> {
  if ((conversation.liveUntil ?? 0) <= at) return undefined;
  const { bot, idempotencyKey } = message;
  const { id: conversationId } = conversation;
  const turn = turnToPerson(message, at);
  const record = { bot: bot.key, conversationId, turn, ...(idempotencyKey && { idempotencyKey }) };
  const outcome = await handoffs.recordLive(record);
  if (outcome === "not_live") return undefined;
  if (outcome === "key_taken") throw new KeyTaken();
  onSaid();
  follower?.decided({ conversationId, capabilityAllowed: true });
  follower?.said(turn.response);
  return chatResponseOf(conversationId, turn);
}

function turnToPerson({ bot, requestId, input }: Message, at: EpochMs): Turn {
  return {
    requestId,
    at,
    botVersion: bot.version,
    state: "complete",
    input,
    response: bot.policy.texts.say("handoffLive"),
    metadata: {
      capabilityAllowed: true,
      handoff: { state: "live" },
      schemaEnforced: false,
      schemaFallbackUsed: false,
    },
    receipt: {
      botVersion: bot.version,
      rule: "handed-over",
      thresholds: bot.policy.thresholds,
      readings: [],
      stagesMs: {},
    },
  };
}
