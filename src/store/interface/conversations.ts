import type { Turn, TurnOutcome } from "../../domain/conversation.ts";
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

/** How many conversations are kept, and how many messages of visitors are in them. */
export interface KeptConversations {
  conversations: number;
  messages: number;
}

/** Stored turns, for operators; what the path of a message asks is in `TurnStore`. */
export interface Conversations {
  findTurnByRequest(id: string): Promise<StoredTurn | undefined>;
  /** Every turn of a conversation, oldest first; empty when there is no such conversation. */
  listTurns(id: string): Promise<StoredTurn[]>;
  /** As `listTurns`, of a conversation that was found before; empty when it has been deleted since. */
  listTurnsOf(key: ConversationKey): Promise<StoredTurn[]>;
  /** How much a bot's visitors have written that is still kept. */
  count(bot: BotKey): Promise<KeptConversations>;
  /** @returns false when there is no such conversation. */
  delete(id: string): Promise<boolean>;
}

/** What one and the same turn of a conversation has to be. What is absent may be anything. */
export interface TurnFilter {
  bot?: BotKey;
  /** At this instant or later. */
  since?: EpochMs;
  /** Before this instant. */
  until?: EpochMs;
  outcome?: TurnOutcome;
  /** The name of an intent, or a prefix as `orders.*`. */
  intent?: string;
  /** Stands in the message or its answer, in whatever case. */
  text?: string;
}

/** A conversation, and the latest of its turns that a filter lets through. */
export interface FoundConversation {
  key: ConversationKey;
  latest: TurnKey;
}

/** What a list shows of a conversation. */
export interface ConversationSummary {
  conversationId: ConversationId;
  botId: BotId;
  startedAt: EpochMs;
  /** All of its turns. */
  turns: number;
  /** The latest of its turns that the filter let through. */
  latest: {
    requestId: RequestId;
    at: EpochMs;
    input: string;
    intent: IntentName | null;
    outcome: TurnOutcome;
  };
}

/** Finds conversations by their turns, for operators; never on the path of a message. */
export interface ConversationFinder {
  /** Conversations with a turn that the filter lets through, the one with the latest such turn first. Read as far as is asked for. */
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
  /** With a message or an answer that holds this text, in whatever case. */
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
  erase(conversations: readonly ConversationToErase[], filter: ErasureFilter): Promise<KeptConversations>;
  /** Erases up to so many conversations of a bot that is to go; its deletion is what is recorded. @returns how many they were. */
  eraseSomeOf(bot: BotKey, most: number): Promise<number>;
  /**
   * Takes what was erased out of where the driver can reach it.
   *
   * @param most bytes that a file may have to be written anew.
   */
  wipeFiles(most?: number): Promise<WipedFiles>;
}
