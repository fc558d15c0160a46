import type { Turn } from "../../domain/conversation.ts";
import type { NewDelivery } from "../../domain/delivery.ts";
import type { Feedback } from "../../domain/feedback.ts";
import type { HandoffEvent, HandoffFields, HandoffState } from "../../domain/handoff.ts";
import type { BotId, ConversationId, HandoffId, RequestId } from "../../domain/ids.ts";
import type { EpochMs } from "../../domain/time.ts";
import type { IdempotencyKey } from "../idempotency.ts";
import type { BotKey } from "./bots.ts";

/** A rating as it is stored. */
export interface StoredFeedback extends Feedback {
  requestId: RequestId;
  at: EpochMs;
}

/** A visitor's request for a person. */
export interface NewHandoff {
  id: HandoffId;
  bot: BotKey;
  /** A conversation of this bot; created if it does not exist. */
  conversationId: ConversationId;
  fields: HandoffFields;
  sharesTranscript: boolean;
  at: EpochMs;
  /** SHA-256 of embed token and key, and of the body's content. */
  idempotency?: { keyHash: Uint8Array; bodyHash: Uint8Array };
  /** Added if the hand-off is opened or completed. */
  deliveries: readonly NewDelivery[];
}

export interface StoredHandoff extends Pick<
  NewHandoff,
  "id" | "conversationId" | "fields" | "sharesTranscript"
> {
  botId: BotId;
  state: HandoffState;
  createdAt: EpochMs;
  updatedAt: EpochMs;
  /** While it is open: when an operator last left it. */
  givenBackAt?: EpochMs;
  /** The operator, while it is live. */
  operator?: string;
  /** While it is live: the end of the bot's silence. */
  liveUntil?: EpochMs;
}

/** An operator takes a conversation over, or writes in it; the bot is silent until `until`. */
export interface PersonThere {
  id: string;
  /** Name shown to operators. */
  operator: string;
  /** Name shown to visitors. */
  name: string;
  at: EpochMs;
  until: EpochMs;
}

/** A visitor's message to an operator, with the reply that confirms it. */
export interface LiveTurn {
  bot: BotKey;
  conversationId: ConversationId;
  turn: Turn;
  idempotencyKey?: IdempotencyKey;
}

/** `not_live`: no operator has the conversation, and the bot is to answer. Nothing was written then. */
export type LiveOutcome = "recorded" | "not_live" | "key_taken";

/** A conversation whose new events are wanted. */
export interface WatchedEvents {
  conversationId: string;
  /** Number of the last known event. */
  after: number;
}

/**
 * `completed`: the conversation had an open one, which now holds the new fields as well. `already_open`: it had one, and nothing was new.
 * `repeated`: the outcome of the key's first use. `key_reused`: the key was used with another body. `too_long`: no room for another message.
 */
export type HandoffOutcome =
  | { outcome: "opened" | "completed" | "already_open" | "repeated"; handoff: StoredHandoff; isNew: boolean }
  | { outcome: "key_reused" }
  | { outcome: "too_long" }
  | { outcome: "bot_deleted" };

/** `held`: another operator has it, and `from` does not name them. `ended`: there is no such hand-off, or it is closed. */
export type TakeOutcome =
  | { outcome: "taken"; handoff: StoredHandoff }
  | { outcome: "held"; by: string }
  | { outcome: "ended" };

/** A conversation's hand-offs and their events. */
export interface PeopleHistory {
  /** Oldest first. */
  handoffs: StoredHandoff[];
  /** All messages while an operator had it, and every change of its state, in order. */
  events: HandoffEvent[];
}

export interface HandoffFilter {
  bot?: BotKey;
  state?: HandoffState;
  /**
   * true: only open ones that no operator has taken over, or that were asked for again since they were given back; the longest wait first.
   * false: only open ones that do not wait.
   */
  waiting?: boolean;
  /** Only those after this one in the list. */
  after?: HandoffId;
  limit: number;
}
