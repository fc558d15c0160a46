import type { Turn } from "../../domain/conversation.ts";
import type { NewDelivery } from "../../domain/delivery.ts";
import type { Feedback } from "../../domain/feedback.ts";
import type { HandoffEvent, HandoffFields, HandoffState } from "../../domain/handoff.ts";
import type { BotId, ConversationId, HandoffId, RequestId } from "../../domain/ids.ts";
import type { EpochMs } from "../../domain/time.ts";
import type { IdempotencyKey } from "../idempotency.ts";
import type { BotKey } from "./bots.ts";

/** A rating as it is kept. */
export interface StoredFeedback extends Feedback {
  requestId: RequestId;
  at: EpochMs;
}

/** What visitors think of answers. */
export interface Ratings {
  /**
   * In the place of what was said of this answer before.
   *
   * @param deliveries who is told of it, if it says something else than before.
   * @returns false when there is no such turn.
   */
  save(feedback: StoredFeedback, deliveries?: readonly NewDelivery[]): Promise<boolean>;
  /** Of a conversation's turns, oldest first. */
  listOf(conversationId: string): Promise<StoredFeedback[]>;
}

/** A visitor who asks for a person. */
export interface NewHandoff {
  id: HandoffId;
  bot: BotKey;
  /** Of this bot; made where there is none. */
  conversationId: ConversationId;
  fields: HandoffFields;
  sharesTranscript: boolean;
  at: EpochMs;
  /** SHA-256 of token and key, and of what the body means. */
  idempotency?: { keyHash: Uint8Array; bodyHash: Uint8Array };
  /** Who is told of it, if it is opened or completed. */
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
  /** While it is open: when a person who had taken it over was last gone. */
  givenBackAt?: EpochMs;
  /** Who writes, while it is live. */
  operator?: string;
  /** Until when the bot is silent, while it is live. */
  liveUntil?: EpochMs;
}

/** Somebody writes in a conversation, or takes it over, at an instant; the bot is silent until `until`. */
export interface PersonThere {
  id: string;
  /** Who it is to operators. */
  operator: string;
  /** Who it is to visitors. */
  name: string;
  at: EpochMs;
  until: EpochMs;
}

/** A message of a visitor to a person, with what is told the visitor. */
export interface LiveTurn {
  bot: BotKey;
  conversationId: ConversationId;
  turn: Turn;
  idempotencyKey?: IdempotencyKey;
}

/** `not_live`: nobody is there any more; the bot is to answer. Nothing was written then. */
export type LiveOutcome = "recorded" | "not_live" | "key_taken";

/** Of which conversations what is new is to be told. */
export interface WatchedEvents {
  conversationId: string;
  /** The number of the last event that is known. */
  after: number;
}

/**
 * `completed`: the conversation had one, which holds what was given now as well; `already_open`: it did before; `repeated`: what the key
 * did the first time; `key_reused`: the key stood for another body; `too_long`: there is no room for one more message.
 */
export type HandoffOutcome =
  | { outcome: "opened" | "completed" | "already_open" | "repeated"; handoff: StoredHandoff; isNew: boolean }
  | { outcome: "key_reused" }
  | { outcome: "too_long" }
  | { outcome: "bot_deleted" };

/** `held`: another operator has it, and it was not to be taken from them; `ended`: there is no such hand-off, or it is closed. */
export type TakeOutcome =
  | { outcome: "taken"; handoff: StoredHandoff }
  | { outcome: "held"; by: string }
  | { outcome: "ended" };

/** What people have to do with a conversation. */
export interface PeopleHistory {
  /** Oldest first. */
  handoffs: StoredHandoff[];
  /** All that was said while somebody was there, and who came and went, in order. */
  events: HandoffEvent[];
}

export interface HandoffFilter {
  bot?: BotKey;
  state?: HandoffState;
  /**
   * Only those that are open and wait: taken over by nobody yet, or asked for again since they were given back; the longest first.
   * false: only those that are open and do not.
   */
  waiting?: boolean;
  /** Only what comes after this one in the list. */
  after?: HandoffId;
  limit: number;
}

/** Visitors who asked for a person. */
export interface Handoffs {
  /** Opens one, or completes the one that is open: a conversation has one at a time. */
  open(handoff: NewHandoff): Promise<HandoffOutcome>;
  find(id: string): Promise<StoredHandoff | undefined>;
  /** The one of a conversation that is not closed; there is one at most. */
  findOpen(conversationId: string): Promise<StoredHandoff | undefined>;
  /** The latest first; of those who wait, the first. */
  list(filter: HandoffFilter): Promise<StoredHandoff[]>;
  /** How many visitors wait for a person. */
  countWaiting(): Promise<number>;
  /** @returns false when there is no such hand-off, or it is closed. */
  close(id: string, at: EpochMs): Promise<boolean>;
  /**
   * The bot is silent from now on, and what the visitor writes goes to the person. Who has it already stays there for longer.
   *
   * @param from the operator it is taken from, where another has it.
   */
  take(person: PersonThere, from?: string): Promise<TakeOutcome>;
  /**
   * The person writes.
   *
   * @param keyHash stands for this message: what is sent twice under it is said once.
   * @returns undefined when nobody has taken it over, or it was given back.
   */
  say(person: PersonThere, text: string, keyHash?: Uint8Array): Promise<HandoffEvent | undefined>;
  /** The bot answers again; the hand-off stays open. @returns false when it was not live. */
  release(id: string, at: EpochMs): Promise<boolean>;
  /** Releases those whose time is over. @returns how many. */
  releaseExpired(now: EpochMs): Promise<number>;
  /** Stores a message to the person, uncounted, and who has to see it sees it. */
  recordLive(record: LiveTurn): Promise<LiveOutcome>;
  /** Everything of a conversation; nothing of one that is not there. */
  historyOf(conversationId: string): Promise<PeopleHistory>;
  /** What is new in these conversations, by conversation, in order; at most `limit` of each. */
  listEvents(watched: readonly WatchedEvents[], limit: number): Promise<Map<string, HandoffEvent[]>>;
}
