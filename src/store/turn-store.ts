import type { ConversationHistory, Turn } from "../domain/conversation.ts";
import type { ConversationId, InstanceId, RequestId } from "../domain/ids.ts";
import type { EpochMs, Now } from "../domain/time.ts";
import type { IdempotencyKey } from "./idempotency.ts";
import type { BotKey } from "./interface/bots.ts";
import type { StoredTurn, TurnKey } from "./interface/conversations.ts";

/** A message with its answer, to be counted and stored in one transaction. */
export interface TurnToRecord {
  bot: BotKey;
  /** Absent: no cap. */
  monthlyMessageCap?: number;
  conversationId: ConversationId;
  turn: Turn;
  idempotencyKey?: IdempotencyKey;
  /** A turn without an answer that this one replaces; it is deleted in the same transaction. */
  replaces?: RequestId;
}

/** A bot may be deleted after its message was admitted; another server may have taken the idempotency key. */
export type RecordOutcome = "recorded" | "key_taken" | "cap_reached" | "bot_deleted";

/** A message whose answer is awaited. */
export interface TurnToBegin extends TurnToRecord {
  /** Tokens that models may use in a month; absent: no budget. */
  monthlyTokenBudget?: number;
}

/** A stored and counted message whose answer is owed. */
export interface BegunTurn {
  key: TurnKey;
  /** The server that owes the answer: while its lease lasts, no other server gives the turn back. */
  instance: InstanceId;
}

export type BeginOutcome =
  | ({ outcome: "begun" } & BegunTurn)
  | { outcome: "key_taken" }
  | { outcome: "cap_reached" }
  | { outcome: "bot_deleted" }
  | { outcome: "budget_spent" };

/** The result of a begun message. */
export interface TurnToFinish extends BegunTurn {
  bot: BotKey;
  conversationId: ConversationId;
  turn: Turn;
  modelTokens: number;
  /** Whether the message stays counted, and its idempotency key answered. A turn that was cut short never answers a key. */
  isCounted: boolean;
  /** For a turn that is not counted: whether its key keeps it until a retry replaces it. */
  isReplaceable?: boolean;
  /** Absent: no cap. */
  monthlyMessageCap?: number;
  idempotencyKey?: IdempotencyKey;
}

/**
 * All but `finished` occur only if the server's lease had run out and the turn was given back. The turn is then counted once more, but the
 * cap may leave no room, or another server may have taken the key. Nothing was written then; the turn is to be finished as not counted.
 */
export type FinishOutcome = "finished" | Exclude<RecordOutcome, "recorded">;

/** The state of an idempotency key: answered, being answered, or with a turn without an answer, which a retry replaces. */
export type EarlierAnswer =
  | { state: "answered"; bodyHash: Uint8Array; turn: StoredTurn }
  | { state: "unanswered"; bodyHash: Uint8Array; turn: StoredTurn }
  | { state: "running"; bodyHash: Uint8Array };

/**
 * The operations on the path of a message, for both engines. Data is on disk when a method's promise resolves. Every method may reject with
 * ServiceError STORAGE_UNAVAILABLE; nothing durable is written then.
 */
export interface TurnStore {
  /** The conversation, if it is this bot's and had a turn at or after `notBefore`. */
  findConversation(id: string, bot: BotKey, notBefore: EpochMs): Promise<ConversationHistory | undefined>;

  findEarlierAnswer(key: IdempotencyKey, now: EpochMs): Promise<EarlierAnswer | undefined>;

  /** Frees the key: the turn of `request` answers it no longer. */
  forgetAnswer(key: IdempotencyKey, request: RequestId): Promise<void>;

  /** Counts and stores a message with its answer, in one transaction. Of several with one idempotency key, only one is recorded or begun. */
  recordTurn(record: TurnToRecord): Promise<RecordOutcome>;

  /** Counts and stores a message before its answer is known. The caller must finish every turn that it begins. */
  beginTurn(record: TurnToBegin): Promise<BeginOutcome>;

  /**
   * Stores the result of a begun turn; a conversation that has been erased stays erased. If it rejects, the turn has no answer, and a
   * turn that was to be given back is given back once that can be written.
   */
  finishTurn(result: TurnToFinish): Promise<FinishOutcome>;
}

/** The result of looking at the servers' leases. */
export interface LeaseNews {
  /** Others took this server for dead, and it has registered itself again. */
  wasTakenForDead: boolean;
  deadServers: number;
  /** Turns of dead servers, and turns of this one that could not be given back before. */
  turnsGivenBack: number;
}

/** State that the servers on one store share: which of them run, and whose turns are given back. */
export interface LeaseStore {
  /**
   * Registers this server. If no other server can be running, gives back all unfinished turns of earlier servers, and uncounts their messages;
   * otherwise the leases decide.
   *
   * @returns number of turns that were given back.
   */
  giveBackUnfinished(): Promise<number>;

  /**
   * Shows that this server lives, and gives back the unfinished turns of servers whose heartbeat has not changed for a lease, by `steadyNow`,
   * a steady clock. To be called at every heartbeat.
   *
   * @throws ServiceError STORAGE_UNAVAILABLE
   */
  renewLease(steadyNow: Now): Promise<LeaseNews>;

  /** Whether no other server is registered, living or delayed. @throws ServiceError STORAGE_UNAVAILABLE */
  isAlone(): Promise<boolean>;
}

/** Size of one transaction, and how long it blocked the event loop. */
export interface CommitObservation {
  groupSize: number;
  milliseconds: number;
}
