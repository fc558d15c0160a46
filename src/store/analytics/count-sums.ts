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

/** What is counted of a turn. */
export interface TurnToCount {
  bot: BotKey;
  at: EpochMs;
  outcome: Outcome;
  intent: string | null;
  /** Whether its conversation began with it. */
  begins: boolean;
}

/** What is to be added to a row of `turn_counts`. */
export interface TurnSum {
  bot: BotKey;
  bucket: Bucket;
  at: EpochMs;
  outcome: Outcome;
  intent: string;
  turns: number;
}

/** What is to be added to a row of `conversation_counts`. */
export interface ConversationSum {
  bot: BotKey;
  bucket: Bucket;
  at: EpochMs;
  conversations: number;
}

/** What turns add to the sums of their hour and their day, each row once, in the order of their keys. */
export function sumTurns(turns: readonly TurnToCount[]): {
  turns: TurnSum[];
  conversations: ConversationSum[];
} {
  const sums = new Map<string, TurnSum>();
  const begun = new Map<string, ConversationSum>();
  for (const { bucket, ms } of BUCKETS) {
    for (const turn of turns) {
      const { bot, outcome } = turn;
      const at = turn.at - (((turn.at % ms) + ms) % ms);
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
  const inOrder = <Sum>(map: ReadonlyMap<string, Sum>) =>
    [...map].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, sum]) => sum);
  return { turns: inOrder(sums), conversations: inOrder(begun) };
}
