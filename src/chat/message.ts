import type { LoadedBot } from "../bots/loaded-bot.ts";
import type { RequestId } from "../domain/ids.ts";
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
