import type { ConversationHistory, Turn } from "../domain/conversation.ts";
import type { ConversationId } from "../domain/ids.ts";
import type { EpochMs } from "../domain/time.ts";
import type { BotKey } from "./bots.ts";
import type { StoredTurn, TurnKey } from "./conversations.ts";
import type { IdempotencyKey } from "./idempotency.ts";

/** A message with its answer, to be counted and stored in one transaction. */
export interface TurnToRecord {
  bot: BotKey;
  /** Absent: no cap. */
  monthlyMessageCap?: number;
  conversationId: ConversationId;
  turn: Turn;
  idempotencyKey?: IdempotencyKey;
}

/** A bot may be deleted after its message was admitted. */
export type RecordOutcome = "recorded" | "cap_reached" | "bot_deleted";

/** A message whose answer is still to come. */
export interface TurnToBegin extends Omit<TurnToRecord, "idempotencyKey"> {
  /** Tokens that models may use in a month; absent: no budget. */
  monthlyTokenBudget?: number;
}

export type BeginOutcome =
  | { outcome: "begun"; key: TurnKey }
  | { outcome: "cap_reached" }
  | { outcome: "bot_deleted" }
  | { outcome: "budget_spent" };

/** What came of a message that was begun. */
export interface TurnToFinish {
  key: TurnKey;
  bot: BotKey;
  turn: Turn;
  modelTokens: number;
  /** Whether the message stays counted. */
  isCounted: boolean;
  idempotencyKey?: IdempotencyKey;
}

/** An earlier answer to the same idempotency key. */
export interface EarlierAnswer {
  bodyHash: Uint8Array;
  turn: StoredTurn;
}

/**
 * What the path of a message asks of a store, whatever its engine. What a method has written is on disk when its promise
 * resolves. Every method may reject with ServiceError STORAGE_UNAVAILABLE; nothing that lasts is written then.
 */
export interface TurnStore {
  /** The conversation, if it is this bot's and had a turn at or after `notBefore`. */
  findConversation(id: string, bot: BotKey, notBefore: EpochMs): Promise<ConversationHistory | undefined>;

  findEarlierAnswer(key: IdempotencyKey, now: EpochMs): Promise<EarlierAnswer | undefined>;

  /** Counts and stores a message with its answer, in one transaction. */
  recordTurn(record: TurnToRecord): Promise<RecordOutcome>;

  /** Counts and stores a message before its answer is asked for. Whoever begins a turn finishes it, whatever happens. */
  beginTurn(record: TurnToBegin): Promise<BeginOutcome>;

  /**
   * Stores what came of a turn that was begun; a conversation that was erased meanwhile stays erased. Where it rejects, the
   * turn is unanswered, and given back at the next start at the latest.
   */
  finishTurn(result: TurnToFinish): Promise<void>;
}
