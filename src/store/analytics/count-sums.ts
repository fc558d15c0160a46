import type { Rating } from "../../domain/feedback.ts";
import type { Outcome } from "../../domain/operator/overview.ts";
import type { EpochMs } from "../../domain/time.ts";
import type { CountRange } from "../interface/analytics.ts";
import type { BotKey } from "../interface/bots.ts";

export const HOUR_MS = 60 * 60 * 1000;
export const DAY_MS = 24 * HOUR_MS;

type Bucket = CountRange["bucket"];
const BUCKETS: readonly { bucket: Bucket; ms: number }[] = [
  { bucket: "hour", ms: HOUR_MS },
  { bucket: "day", ms: DAY_MS },
];

/** The counted properties of a turn. */
export interface TurnToCount {
  bot: BotKey;
  at: EpochMs;
  outcome: Outcome;
  intent: string | null;
  /** Whether this turn is the first of its conversation. */
  begins: boolean;
}

/** An increment of a row of `turn_counts`. */
export interface TurnSum {
  bot: BotKey;
  bucket: Bucket;
  at: EpochMs;
  outcome: Outcome;
  intent: string;
  turns: number;
}

/** An increment of a row of `conversation_counts`. */
export interface ConversationSum {
  bot: BotKey;
  bucket: Bucket;
  at: EpochMs;
  conversations: number;
}

/** A turn whose rating is new or has changed. */
export interface RatingToCount {
  bot: BotKey;
  at: EpochMs;
  /** The rating that is in the sums now; null if none is. */
  was: Rating | null;
  /** The rating that the sums are to hold; null if none. */
  rating: Rating | null;
}

/** An increment of a row of `rating_counts`. */
export interface RatingSum {
  bot: BotKey;
  bucket: Bucket;
  at: EpochMs;
  rating: Rating;
  answers: number;
}

/** Sums ratings by the hour and the day of their turns: one increment for each row of `rating_counts`, sorted by the row's key. */
export function sumRatings(rated: readonly RatingToCount[]): RatingSum[] {
  const sums = new Map<string, RatingSum>();
  for (const { bucket, ms } of BUCKETS) {
    for (const turn of rated) {
      const at = beginOf(turn.at, ms);
      const add = (rating: Rating | null, answers: number) => {
        if (rating === null) return;
        const sum = { bot: turn.bot, bucket, at, rating, answers: 0 };
        sums.getOrInsertComputed(JSON.stringify([turn.bot, bucket, at, rating]), () => sum).answers +=
          answers;
      };
      add(turn.was, -1);
      add(turn.rating, 1);
    }
  }
  return inOrder(sums);
}

/** Start of the bucket that contains an instant. The remainder is made positive, so that instants before 1970 are rounded down too. */
function beginOf(at: EpochMs, bucketMs: number): EpochMs {
  return at - (((at % bucketMs) + bucketMs) % bucketMs);
}

function inOrder<Sum>(sums: ReadonlyMap<string, Sum>): Sum[] {
  return [...sums].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, sum]) => sum);
}

/** Sums turns, and the conversations that begin with them, by hour and by day: one increment for each row, sorted by the row's key. */
export function sumTurns(turns: readonly TurnToCount[]): {
  turns: TurnSum[];
  conversations: ConversationSum[];
} {
  const sums = new Map<string, TurnSum>();
  const begun = new Map<string, ConversationSum>();
  for (const { bucket, ms } of BUCKETS) {
    for (const turn of turns) {
      const { bot, outcome } = turn;
      const at = beginOf(turn.at, ms);
      const intent = turn.intent ?? "";
      const key = JSON.stringify([bot, bucket, at]);
      sums.getOrInsertComputed(JSON.stringify([key, outcome, intent]), () => ({
        bot,
        bucket,
        at,
        outcome,
        intent,
        turns: 0,
      })).turns += 1;
      if (turn.begins)
        begun.getOrInsertComputed(key, () => ({ bot, bucket, at, conversations: 0 })).conversations += 1;
    }
  }
  return { turns: inOrder(sums), conversations: inOrder(begun) };
}
