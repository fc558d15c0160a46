import { type Static, Type } from "@sinclair/typebox";

import type { RestrictionReason } from "../../domain/decision.ts";
import type { Rating } from "../../domain/feedback.ts";
import type { BotId } from "../../domain/ids.ts";
import type { ConversationRow } from "../../domain/operator/conversations.ts";
import type { SetAside } from "../../domain/operator/improve.ts";
import type { Outcome } from "../../domain/operator/overview.ts";
import type { EpochMs } from "../../domain/time.ts";
import type { BotKey } from "./bots.ts";
import type { Telling, ToldBehind } from "./outbox.ts";

/** What a step of counting came to. */
export interface CountingStep {
  /** Turns that were counted. */
  counted: number;
  /** Whether there is more to count at once. */
  mayGoOn: boolean;
  /** How long it was at work; what it waited for, as its turn to write, is not in it. */
  tookMs: number;
  /** Absent where nobody is told of what is counted. */
  told?: ToldBehind;
}

/** How fast turns are counted where there are many: each engine's steps hold something else that messages need. */
export interface CountingPace {
  /** How long a step should take. */
  stepMs: number;
  /** Turns of a step at most. */
  mostTurns: number;
  /** A step is followed by a pause that is so many times as long: the rest of the time is for messages. */
  pauses: number;
}

/** How far turns are counted, and their words can be found. */
export interface CountingState {
  /** Of the stored turns, 0–1; 1 where all are, but for those whose answer is still to come. */
  share: number;
  /** When the first turn came that is not counted; undefined where all are. */
  openSince: EpochMs | undefined;
  /** Turns whose answer has come and that are not counted; where many are, about so many. */
  left: number;
  /** When the first of them came; undefined where there is none. */
  leftSince: EpochMs | undefined;
}

/** Which sums are asked for: of whole hours, or of whole UTC days. */
export interface CountRange {
  bucket: "hour" | "day";
  from: EpochMs;
  /** Exclusive. */
  to: EpochMs;
  /** Absent: of all bots. */
  bot?: BotKey;
}

export interface OutcomeCount {
  /** When the bucket begins. */
  at: EpochMs;
  outcome: Outcome;
  turns: number;
}

/** How many answers were rated, and how. */
export type RatingCounts = Record<Rating, number>;

export interface IntentCount {
  bot: BotId;
  intent: string;
  turns: number;
}

/** Where a list goes on: below a turn that is counted, or below one that was not when it was listed. */
export const ListPlace = Type.Union([
  Type.Object({ place: Type.Integer(), at: Type.Integer(), upTo: Type.Optional(Type.Integer()) }),
  Type.Object({ open: Type.String(), at: Type.Integer() }),
]);
export type ListPlace = Static<typeof ListPlace>;
export type OpenPlace = Extract<ListPlace, { open: string }>;

/** What was the newest when a list was made. */
export const NewestPlace = Type.Object({
  place: Type.Integer(),
  at: Type.Integer(),
  /** Some of what was listed was not counted yet. */
  isAhead: Type.Optional(Type.Literal(true)),
});
export type NewestPlace = Static<typeof NewestPlace>;

/** A conversation query whose bot is known, and whose words are apart. */
export interface ListQuery {
  bot?: BotKey;
  outcome?: Outcome;
  /** The name of an intent, or a prefix as `orders.*`. */
  intent?: string;
  /** What the visitor thinks of its answer. */
  rating?: Rating;
  /** At this instant or later. */
  from?: EpochMs;
  /** Before this instant. */
  to?: EpochMs;
  /** Each begins a word of the message or its answer; all of them. */
  words: readonly string[];
  /** Only what is older. */
  below?: ListPlace;
  /** Only what has come since. */
  newer?: NewestPlace;
  limit: number;
}

export interface ListedConversations {
  items: readonly ConversationRow[];
  /** Undefined: there is nothing older. */
  next: ListPlace | undefined;
  /** Undefined where there is nothing at all. */
  newest: NewestPlace | undefined;
}

/** Which turns nobody has dealt with. */
export interface UnansweredQuery {
  bot?: BotKey;
  outcomes: readonly Outcome[];
  since: EpochMs;
  /** The latest. */
  limit: number;
}

/** How a message stands to what its visitor said before it. */
export interface SaidBehind {
  /** What that was; null where it is nothing, or its text is not kept. */
  before: string | null;
  /** The chance, 0–1, that the message leans on it; null where it was not judged so. */
  leans: number | null;
}

/** A turn that was not answered. */
export interface UnansweredTurn extends SaidBehind {
  requestId: string;
  conversationId: string;
  bot: BotId;
  at: EpochMs;
  outcome: Outcome;
  /** Empty where texts are not stored. */
  input: string;
  /** What it was refused as, or what came closest; null where nothing did. */
  intent: string | null;
  reason: RestrictionReason;
}

/** Which answers did not help. */
export interface UnhelpfulQuery {
  bot?: BotKey;
  /** Of messages at this instant or later. */
  since: EpochMs;
  /** The latest. */
  limit: number;
}

/** A turn whose answer did not help, as its visitor says. */
export interface UnhelpfulTurn extends SaidBehind {
  requestId: string;
  conversationId: string;
  bot: BotId;
  at: EpochMs;
  /** Empty where texts are not stored, as `response`. */
  input: string;
  response: string;
  intent: string | null;
  /** Why, in the visitor's words; null where they gave no reason, or texts are not stored. */
  why: string | null;
  ratedAt: EpochMs;
}

/** A message that an operator has dealt with. */
export interface SetAsideMessage {
  bot: BotId;
  /** When they did. */
  at: EpochMs;
  /** SHA-256 of its text; see `textHashOf`. */
  hash: Uint8Array;
}

/**
 * What operators look at: sums, lists and a search of turns, whatever their number. All of it is filled behind, never by a message's own
 * commit; see `CountBehind`.
 */
export interface Analytics {
  /**
   * Counts some turns and their ratings, and makes their words findable; of several servers that do so, each turn is counted by one.
   *
   * @param telling who is told of them, in the transaction that counts them: of each turn once, whatever dies in between.
   */
  countTurns(most: number, telling?: Telling): Promise<CountingStep>;
  readonly countingPace: CountingPace;
  countingState(): Promise<CountingState>;
  countOutcomes(range: CountRange): Promise<OutcomeCount[]>;
  /** Of turns with an intent, and of bots that are still there. */
  countIntents(range: CountRange): Promise<IntentCount[]>;
  /** Rated answers, by when their messages came; as each is rated now. */
  countRatings(range: CountRange): Promise<RatingCounts>;
  /** Conversations that began. */
  countConversations(range: CountRange): Promise<number>;
  /**
   * Conversations with a turn that the query lets through, the one with the latest such turn first: of turns that are not counted yet,
   * then of those that are. Where many are not counted and few of them are let through, a page may have fewer rows than its limit, and go on.
   */
  listConversations(query: ListQuery): Promise<ListedConversations>;
  /** The same to the end, some at a time: every conversation of which such a turn was stored before, once, whatever is stored and counted meanwhile. */
  walkConversations(query: Omit<ListQuery, "limit">): AsyncIterable<readonly ConversationRow[]>;
  /** The latest first, and how many there are. */
  listUnanswered(query: UnansweredQuery): Promise<{ turns: UnansweredTurn[]; total: number }>;
  /** Answers that are rated down: the latest first, and how many there are. */
  listUnhelpful(query: UnhelpfulQuery): Promise<{ turns: UnhelpfulTurn[]; total: number }>;
  /** Of these request ids, those whose messages have not been deleted. */
  findStored(requestIds: readonly string[]): Promise<ReadonlySet<string>>;
  /** Messages that are no longer to be shown. One that was set aside before is so now for this reason. */
  setAside(bot: BotKey, hashes: readonly Uint8Array[], as: SetAside["as"], by: string): Promise<void>;
  /** They are shown again. */
  takeBack(bot: BotKey, hashes: readonly Uint8Array[]): Promise<void>;
  listSetAside(bot?: BotKey): Promise<SetAsideMessage[]>;
}
