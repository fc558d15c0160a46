import type { LoadedBot } from "../bots/loaded-bot.ts";
import type { ChatResponse } from "../domain/chat.ts";
import type { Turn } from "../domain/conversation.ts";
import type { ConversationId, RequestId } from "../domain/ids.ts";
import type { IdempotencyKey } from "../store/idempotency.ts";

/** An admitted message. */
export interface Message {
  bot: LoadedBot;
  requestId: RequestId;
  input: string;
  conversationId?: string;
  /** The sender, identified by address; absent for messages without one. */
  caller?: string;
  idempotencyKey?: IdempotencyKey;
  /** The unanswered turn that this retry replaces. */
  replaces?: RequestId;
}

/** The data of a turn that are sent before its answer is complete. */
export interface TurnOpening {
  conversationId: string;
  intentDetected?: string;
  capabilityAllowed: boolean;
}

/** Follows a turn while it runs. */
export interface TurnFollower {
  decided(opening: TurnOpening): void;
  /** A piece of the response; all pieces together are the response. */
  said(text: string): void;
}

/** The caller who waits for an answer. */
export interface Listener {
  /** Aborts when the caller disconnects. */
  left: AbortSignal;
  follower?: TurnFollower;
}

/** An answer with the request id of its turn: for a repeated message, that of the first request. */
export interface Answered {
  requestId: RequestId;
  response: ChatResponse;
}

/** The wire shape of a turn, new or stored. */
export function chatResponseOf(conversationId: ConversationId, turn: Turn): ChatResponse {
  return {
    conversationId,
    response: turn.response,
    ...(turn.intent !== undefined && { intentDetected: turn.intent }),
    metadata: turn.metadata,
  };
}

/** Another server on the same store took the idempotency key between check and write. Nothing was written or sent. */
export class KeyTaken extends Error {
  override name = "KeyTaken";
}
