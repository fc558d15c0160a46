import { type Static, Type } from "@sinclair/typebox";

import type { RestrictionReason } from "../../domain/decision.ts";
import type { Rating } from "../../domain/feedback.ts";
import type { BotId } from "../../domain/ids.ts";
import type { ConversationRow } from "../../domain/operator/conversations.ts";
import type { Outcome } from "../../domain/operator/overview.ts";
import type { EpochMs } from "../../domain/time.ts";
import type { BotKey } from "./bots.ts";
import type { ReportedEvents } from "./outbox.ts";

/** The result of one step of counting. */
export interface CountingStep {
  /** Turns that were counted. */
  counted: number;
  /** Whether more turns can be counted at once. */
  mayGoOn: boolean;
  /** Working time in milliseconds, without the wait for the write lock. */
  tookMs: number;
  /** Absent if no webhook receives events. */
  reported?: ReportedEvents;
}

/** Pace of counting a backlog. A step of either engine holds a resource that messages need. */
export interface CountingPace {
  /** Target duration of a step, in milliseconds. */
  stepMs: number;
  /** Maximum number of turns of a step. */
  mostTurns: number;
  /** Length of the pause after a step, as a multiple of the step's duration; messages are served during it. */
  pauses: number;
}

/** Progress of counting and of the word index. */
export interface CountingState {
  /** Counted share of the stored turns, 0–1; 1 if only turns without an answer are left. */
  share: number;
  /** Time of the first uncounted turn; undefined if all are counted. */
  openSince: EpochMs | undefined;
  /** Number of answered turns that are not counted; approximate if it is large. */
  left: number;
  /** Time of the first answered turn that is not counted; undefined if there is none. */
  leftSince: EpochMs | undefined;
}

/** A range of whole hours or whole UTC days. */
export interface CountRange {
  bucket: "hour" | "day";
  from: EpochMs;
  /** Exclusive. */
  to: EpochMs;
  /** Absent: all bots. */
  bot?: BotKey;
}

export interface OutcomeCount {
  /** Begin of the bucket. */
  at: EpochMs;
  outcome: Outcome;
  turns: number;
}

/** Number of rated answers, by rating. */
export type RatingCounts = Record<Rating, number>;

export interface IntentCount {
  bot: BotId;
  intent: string;
  turns: number;
}

/** Where a list continues: below a counted turn, or below a turn that was uncounted when it was listed. */
export const ListPlace = Type.Union([
  Type.Object({ place: Type.Integer(), at: Type.Integer(), upTo: Type.Optional(Type.Integer()) }),
  Type.Object({ open: Type.String(), at: Type.Integer() }),
]);
export type ListPlace = Static<typeof ListPlace>;
export type OpenPlace = Extract<ListPlace, { open: string }>;

/** The newest turn when a list was made. */
export const NewestPlace = Type.Object({
  place: Type.Integer(),
  at: Type.Integer(),
  /** Some listed turns were not counted yet. */
  isAhead: Type.Optional(Type.Literal(true)),
});
export type NewestPlace = Static<typeof NewestPlace>;

/** A conversation query with a resolved bot, and its text split into words. */
export interface ListQuery {
  bot?: BotKey;
  outcome?: Outcome;
  /** The name of an intent, or a prefix as `orders.*`. */
  intent?: string;
  /** The visitor's rating of the answer. */
  rating?: Rating;
  /** At this instant or later. */
  from?: EpochMs;
  /** Before this instant. */
  to?: EpochMs;
  /** Each is a prefix of a word of the message or of its answer; all must match. */
  words: readonly string[];
  /** Only older turns. */
  below?: ListPlace;
  /** Only turns that came since. */
  newer?: NewestPlace;
  limit: number;
}

export interface ListedConversations {
  items: readonly ConversationRow[];
  /** Undefined at the end of the list. */
  next: ListPlace | undefined;
  /** Undefined if the list is empty. */
  newest: NewestPlace | undefined;
}

/** A query for turns without an answer that no operator has set aside. */
export interface UnansweredQuery {
  bot?: BotKey;
  outcomes: readonly Outcome[];
  since: EpochMs;
  /** Number of the latest turns to return. */
  limit: number;
}

/** A message's relation to the visitor's message before it. */
export interface PreviousMessage {
  /** The message before; null if there is none, or its text is not kept. */
  before: string | null;
  /** The probability, 0–1, that the message depends on the previous one; null if it was not judged. */
  leans: number | null;
}

/** A turn without an answer. */
export interface UnansweredTurn extends PreviousMessage {
  requestId: string;
  conversationId: string;
  bot: BotId;
  at: EpochMs;
  outcome: Outcome;
  /** Empty if texts are not stored. */
  input: string;
  /** The refused intent, or the closest intent; null if none was close. */
  intent: string | null;
  reason: RestrictionReason;
}

/** A query for answers that were rated down. */
export interface UnhelpfulQuery {
  bot?: BotKey;
  /** Of messages at this instant or later. */
  since: EpochMs;
  /** Number of the latest turns to return. */
  limit: number;
}

/** A turn whose answer the visitor rated down. */
export interface UnhelpfulTurn extends PreviousMessage {
  requestId: string;
  conversationId: string;
  bot: BotId;
  at: EpochMs;
  /** Empty if texts are not stored, like `response`. */
  input: string;
  response: string;
  intent: string | null;
  /** The visitor's reason; null if none was given, or texts are not stored. */
  why: string | null;
  ratedAt: EpochMs;
}

/** A message that an operator has set aside. */
export interface SetAsideMessage {
  bot: BotId;
  /** When it was set aside. */
  at: EpochMs;
  /** SHA-256 of its text; see `textHashOf`. */
  hash: Uint8Array;
}
