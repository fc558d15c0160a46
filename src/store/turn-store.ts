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
  /** A turn without an answer that this one takes the place of; it goes in the same transaction. */
  replaces?: RequestId;
}

/** A bot may be deleted after its message was admitted; another server may have taken the idempotency key. */
export type RecordOutcome = "recorded" | "key_taken" | "cap_reached" | "bot_deleted";

/** A message whose answer is still to come. */
export interface TurnToBegin extends TurnToRecord {
  /** Tokens that models may use in a month; absent: no budget. */
  monthlyTokenBudget?: number;
}

/** A turn whose message is stored and counted, and whose answer is owed. */
export interface BegunTurn {
  key: TurnKey;
  /** The server that owes the answer: as long as its lease lasts, nobody else gives the turn back. */
  instance: InstanceId;
}

export type BeginOutcome =
  | ({ outcome: "begun" } & BegunTurn)
  | { outcome: "key_taken" }
  | { outcome: "cap_reached" }
  | { outcome: "bot_deleted" }
  | { outcome: "budget_spent" };

/** What came of a message that was begun. */
export interface TurnToFinish extends BegunTurn {
  bot: BotKey;
  conversationId: ConversationId;
  turn: Turn;
  modelTokens: number;
  /** Whether the message stays counted, and its idempotency key answered; a key is never answered by a turn that was cut. */
  isCounted: boolean;
  /** Of one that is not counted: whether its key leads to it until a retry replaces it. */
  isReplaceable?: boolean;
  /** Absent: no cap. */
  monthlyMessageCap?: number;
  idempotencyKey?: IdempotencyKey;
}

/**
 * All but `finished` come about where the server's lease had run out and the turn was given back: then the turn is counted once more, and
 * there may be no room, or another server may have taken the key. Nothing was written then; the turn is to be finished as not counted.
 */
export type FinishOutcome = "finished" | Exclude<RecordOutcome, "recorded">;

/** What is known of an idempotency key: its answer, that there will be one, or a turn without one, which a retry replaces. */
export type EarlierAnswer =
  | { state: "answered"; bodyHash: Uint8Array; turn: StoredTurn }
  | { state: "unanswered"; bodyHash: Uint8Array; turn: StoredTurn }
  | { state: "running"; bodyHash: Uint8Array };

/**
 * What the path of a message asks of a store, whatever its engine. What a method has written is on disk when its promise
 * resolves. Every method may reject with ServiceError STORAGE_UNAVAILABLE; nothing that lasts is written then.
 */
export interface TurnStore {
  /** The conversation, if it is this bot's and had a turn at or after `notBefore`. */
  findConversation(id: string, bot: BotKey, notBefore: EpochMs): Promise<ConversationHistory | undefined>;

  findEarlierAnswer(key: IdempotencyKey, now: EpochMs): Promise<EarlierAnswer | undefined>;

  /** The key may be answered anew: the turn of `request`, which answered it, is remembered no longer. */
  forgetAnswer(key: IdempotencyKey, request: RequestId): Promise<void>;

  /** Counts and stores a message with its answer, in one transaction. Of those with one idempotency key, one is recorded or begun. */
  recordTurn(record: TurnToRecord): Promise<RecordOutcome>;

  /** Counts and stores a message before its answer is asked for. Whoever begins a turn finishes it, whatever happens. */
  beginTurn(record: TurnToBegin): Promise<BeginOutcome>;

  /**
   * Stores what came of a turn that was begun; a conversation that was erased meanwhile stays erased. Where it rejects, the
   * turn is unanswered; one that was to be given back is given back as soon as that can be written.
   */
  finishTurn(result: TurnToFinish): Promise<FinishOutcome>;
}

/** What a look at the leases of servers led to. */
export interface LeaseNews {
  /** Others took this server for dead, and it has entered itself again. */
  wasTakenForDead: boolean;
  deadServers: number;
  /** Of dead servers, and of this one where they could not be given back before. */
  turnsGivenBack: number;
}

/** What several servers on one store agree on: who lives, and whose turns are given back. */
export interface LeaseStore {
  /**
   * Enters this server among those that run on the store. Where no other can be running, uncounts the messages of turns that earlier
   * ones began and did not finish; where one can, their leases decide.
   *
   * @returns how many turns were given back.
   */
  giveBackUnfinished(): Promise<number>;

  /**
   * Shows that this server lives, and gives back the unfinished turns of servers that have shown nothing for as long as a lease lasts,
   * by `steadyNow`, of which only differences count. To be called at every heartbeat.
   *
   * @throws ServiceError STORAGE_UNAVAILABLE
   */
  renewLease(steadyNow: Now): Promise<LeaseNews>;

  /** Whether no other server is entered: none lives, and none is held up. @throws ServiceError STORAGE_UNAVAILABLE */
  isAlone(): Promise<boolean>;
}

/** One transaction's size and the time it held the loop. */
export interface CommitObservation {
  groupSize: number;
  milliseconds: number;
}
