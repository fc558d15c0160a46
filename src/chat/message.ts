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
  /** Who sends it, as far as its address tells; absent where nobody does. */
  caller?: string;
  idempotencyKey?: IdempotencyKey;
  /** The turn of the conversation that had no answer, and that this retry of its message takes the place of. */
  replaces?: RequestId;
}

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

/** Who waits for an answer. */
export interface Listener {
  /** Aborts when nobody waits for the answer any more. */
  left: AbortSignal;
  follower?: TurnFollower;
}

/** An answer, and the request whose turn it is: of a message that was sent again, the first one. */
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

/** Another server on the same store took the idempotency key between the look and the write. Nothing was written or told. */
export class KeyTaken extends Error {
  override name = "KeyTaken";
}
