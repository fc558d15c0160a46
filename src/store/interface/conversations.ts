import type { Turn, TurnOutcome } from "../../domain/conversation.ts";
import type { DecisionReceipt } from "../../domain/decision.ts";
import type { BotId, ConversationId, IntentName, RequestId } from "../../domain/ids.ts";
import type { EpochMs } from "../../domain/time.ts";
import type { BotKey } from "./bots.ts";

/** The engine's key of a turn; never leaves the process. */
export type TurnKey = (number | string) & { readonly brand: "TurnKey" };
/** The engine's key of a conversation; never leaves the process. Keys are in the order in which conversations began. */
export type ConversationKey = (number | string) & { readonly brand: "ConversationKey" };

/** A turn with the names around it, as `conversation show` and `explain` print it. */
export interface StoredTurn extends Turn {
  botId: BotId;
  conversationId: ConversationId;
}

/** A conversation without its messages. */
export interface ConversationHead {
  id: ConversationId;
  botId: BotId;
  startedAt: EpochMs;
}

/** Number of stored conversations, and of visitors' messages in them. */
export interface ConversationCounts {
  conversations: number;
  messages: number;
}

/** The part of a turn that is about actions. */
export interface ActionTurn extends Pick<Turn, "requestId" | "at" | "action"> {
  /** Absent if no action was involved or known. */
  receipt?: DecisionReceipt["action"];
}

/**
 * Conditions that one turn of a conversation, or one text of a hand-off, must meet together. Absent conditions match anything; texts
 * of hand-offs have no outcome and no intent.
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
  /** Contained in the message or its answer, the hand-off form, or a text of a live hand-off, regardless of case. */
  text?: string;
}

/** A conversation with the latest turn that passes the filter. */
export interface FoundConversation {
  key: ConversationKey;
  at: EpochMs;
  /** Absent if a hand-off, or a text of one, passed the filter. */
  latest?: TurnKey;
}

/** A conversation's row in a list. */
export interface ConversationSummary {
  conversationId: ConversationId;
  botId: BotId;
  startedAt: EpochMs;
  /** Number of all its turns. */
  turns: number;
  /** The latest turn that passed the filter. */
  latest: {
    /** null: a hand-off; `input` is the message of its form. */
    requestId: RequestId | null;
    at: EpochMs;
    input: string;
    intent: IntentName | null;
    outcome: TurnOutcome | "handoff";
  };
}

/** Selects conversations to be erased: those that meet all given conditions. */
export interface ErasureFilter {
  bot?: BotKey;
  /** Without a message at or after this instant. */
  idleSince?: EpochMs;
  /** With this text in a message, an answer, a hand-off form or a text of a live hand-off, regardless of case. */
  text?: string;
}

/** A conversation to be erased. */
export interface ConversationToErase {
  id: ConversationId;
  messages: number;
}

/** Whether files that held erased data are clean. */
export interface WipedFiles {
  /** The database file was rewritten. */
  isRewritten: boolean;
  /** The write-ahead log is empty. It is not if another process was reading all the time. */
  isLogEmpty: boolean;
  /** Remains that the driver cannot remove, for an operator; absent if there are none. */
  remains?: string;
}
