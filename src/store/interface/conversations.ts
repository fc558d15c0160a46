import type { Turn, TurnOutcome } from "../../domain/conversation.ts";
import type { DecisionReceipt } from "../../domain/decision.ts";
import type { BotId, ConversationId, IntentName, RequestId } from "../../domain/ids.ts";
import type { EpochMs } from "../../domain/time.ts";
import type { BotKey } from "./bots.ts";

/** What a driver calls a turn; never leaves the process. */
export type TurnKey = (number | string) & { readonly brand: "TurnKey" };
/** What a driver calls a conversation; never leaves the process. Keys are in the order in which conversations began. */
export type ConversationKey = (number | string) & { readonly brand: "ConversationKey" };

/** A turn with the names around it, as `conversation show` and `explain` print it. */
export interface StoredTurn extends Turn {
  botId: BotId;
  conversationId: ConversationId;
}

/** A conversation without what was said in it. */
export interface ConversationHead {
  id: ConversationId;
  botId: BotId;
  startedAt: EpochMs;
}

/** How many conversations are kept, and how many messages of visitors are in them. */
export interface ConversationCounts {
  conversations: number;
  messages: number;
}

/** What of a turn is of actions. */
export interface ActionTurn extends Pick<Turn, "requestId" | "at" | "action"> {
  /** Absent where an action had no part in it, and none was known. */
  receipt?: DecisionReceipt["action"];
}

/** Stored turns, for operators; what the path of a message asks is in `TurnStore`. */
export interface Conversations {
  /** There may be one without a turn: a visitor may begin by asking for a person. */
  findHead(id: string): Promise<ConversationHead | undefined>;
  /** As `findHead`, of a conversation that was found before; undefined when it has been deleted since. */
  findHeadOf(key: ConversationKey): Promise<ConversationHead | undefined>;
  findTurnByRequest(id: string): Promise<StoredTurn | undefined>;
  /** Every turn of a conversation, oldest first; empty when there is no such conversation. */
  listTurns(id: string): Promise<StoredTurn[]>;
  /** The same turns, without their texts, and without receipts that tell of no action. */
  listActionTurns(id: string): Promise<ActionTurn[]>;
  /** How much a bot's visitors have written that is still kept. */
  count(bot: BotKey): Promise<ConversationCounts>;
}

/**
 * What one and the same turn of a conversation has to be, or what was said to a person and by one. What is absent may be anything; only
 * turns come to an outcome and an intent.
 */
export interface TurnFilter {
  bot?: BotKey;
  /** At this instant or later. */
  since?: EpochMs;
  /** Before this instant. */
  until?: EpochMs;
  outcome?: TurnOutcome;
  /** The name of an intent, or a prefix as `orders.*`. */
  intent?: string;
  /** Stands in the message or its answer, in the form for a person, or in what was said with one, in whatever case. */
  text?: string;
}

/** A conversation, and the latest that a filter lets through. */
export interface FoundConversation {
  key: ConversationKey;
  at: EpochMs;
  /** Absent where it is no turn, but a hand-off or what was said with a person. */
  latest?: TurnKey;
}

/** What a list shows of a conversation. */
export interface ConversationSummary {
  conversationId: ConversationId;
  botId: BotId;
  startedAt: EpochMs;
  /** All of its turns. */
  turns: number;
  /** The latest that the filter let through. */
  latest: {
    /** null: it is no turn, but a hand-off; `input` is the message of its form. */
    requestId: RequestId | null;
    at: EpochMs;
    input: string;
    intent: IntentName | null;
    outcome: TurnOutcome | "handoff";
  };
}

/** Finds conversations by their turns, for operators; never on the path of a message. */
export interface ConversationFinder {
  /** Conversations with something that the filter lets through, the one where that is the latest first. Turns are read as far as is asked for. */
  find(filter: TurnFilter): AsyncIterable<FoundConversation>;
  findKey(id: string): Promise<ConversationKey | undefined>;
  /** What a list shows of what was found, in the same order; what has been deleted since is left out. */
  summarise(found: readonly FoundConversation[]): Promise<ConversationSummary[]>;
}

/** Which conversations are to go: those that meet all that is given. */
export interface ErasureFilter {
  bot?: BotKey;
  /** Without a message at this instant or later. */
  idleSince?: EpochMs;
  /** With a message, an answer, a form for a person or words said with one that hold this text, in whatever case. */
  text?: string;
}

/** A conversation that is to go. */
export interface ConversationToErase {
  id: ConversationId;
  messages: number;
}

/** What became of the places that held what was erased. */
export interface WipedFiles {
  /** The database file was written anew. */
  isRewritten: boolean;
  /** The write-ahead log is empty. Where it is not, another process was reading all the time. */
  isLogEmpty: boolean;
  /** What the driver cannot see to, and an operator has to know; absent where there is nothing. */
  remains?: string;
}

/** Erases conversations for good, for operators; never on the path of a message. */
export interface Erasure {
  /** Reads all texts where the filter has one. */
  choose(filter: ErasureFilter): Promise<ConversationToErase[]>;
  /** Erases those that still meet the filter's time, in one transaction. @returns how much was erased. */
  erase(conversations: readonly { id: string }[], filter: ErasureFilter): Promise<ConversationCounts>;
  /**
   * Erases up to so many rows of what a deleted bot left: conversations, passages of documents and the like. Of a bot that is not deleted
   * nothing is erased.
   *
   * @returns how many they were; 0: nothing of it is left.
   */
  eraseSomeOf(bot: BotKey, most: number): Promise<number>;
  /**
   * Takes what was erased out of where the driver can reach it.
   *
   * @param most bytes that a file may have to be written anew.
   */
  wipeFiles(most?: number): Promise<WipedFiles>;
}
