import type { NewDelivery } from "../../domain/delivery.ts";
import type { Feedback } from "../../domain/feedback.ts";
import type { HandoffFields, HandoffState } from "../../domain/handoff.ts";
import type { BotId, ConversationId, HandoffId, RequestId } from "../../domain/ids.ts";
import type { EpochMs } from "../../domain/time.ts";
import type { BotKey } from "./bots.ts";

/** A rating as it is kept. */
export interface StoredFeedback extends Feedback {
  requestId: RequestId;
  at: EpochMs;
}

/** What visitors think of answers. */
export interface FeedbackStore {
  /**
   * In the place of what was said of this answer before.
   *
   * @param deliveries who is told of it.
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
  /** Who is told of it, if it is opened. */
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
}

/** `already_open`: the conversation has one; `key_reused`: the key stood for another body. */
export type HandoffOutcome =
  | { outcome: "opened" | "already_open" | "repeated"; handoff: StoredHandoff }
  | { outcome: "key_reused" }
  | { outcome: "bot_deleted" };

export interface HandoffFilter {
  bot?: BotKey;
  state?: HandoffState;
  /** Only those that are older than this one. */
  before?: HandoffId;
  limit: number;
}

/** Visitors who asked for a person. */
export interface HandoffStore {
  open(handoff: NewHandoff): Promise<HandoffOutcome>;
  find(id: string): Promise<StoredHandoff | undefined>;
  /** The latest first. */
  list(filter: HandoffFilter): Promise<StoredHandoff[]>;
  /** @returns false when there is no such hand-off, or it is closed. */
  close(id: string, at: EpochMs): Promise<boolean>;
}
