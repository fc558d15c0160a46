import { type Static, Type } from "@sinclair/typebox";

import { listOf, named, oneOf } from "../schemas.ts";

/** Outcomes of messages as the console counts them. */
export const OUTCOMES = ["answered", "asked", "unmatched", "refused", "failed"] as const;
export const Outcome = oneOf(OUTCOMES, {
  description:
    "answered; asked: the bot asked which intent was meant; unmatched: nothing matched; refused: by the capability profile; failed: no answer, or the fallback for one that broke the output schema",
});
export type Outcome = Static<typeof Outcome>;

export const PERIODS = ["24h", "7d", "30d", "90d"] as const;
export const Period = oneOf(PERIODS);
export type Period = Static<typeof Period>;

/** Messages by outcome. */
export const OutcomeCounts = Type.Object({
  answered: Type.Integer(),
  asked: Type.Integer(),
  unmatched: Type.Integer(),
  refused: Type.Integer(),
  failed: Type.Integer(),
});
export type OutcomeCounts = Static<typeof OutcomeCounts>;

/** Sums of a period. */
export const PeriodSums = Type.Object({
  ...OutcomeCounts.properties,
  messages: Type.Integer(),
  conversations: Type.Integer(),
  /** Answers of these messages that visitors rated. */
  ratedUp: Type.Integer(),
  ratedDown: Type.Integer(),
});
export type PeriodSums = Static<typeof PeriodSums>;

/** GET /api/v1/overview?bot=&period=30d&compare=1 */
export const Overview = named("Overview", {
  from: Type.Integer(),
  to: Type.Integer(),
  /** Length of a bucket: an hour for 24 h, otherwise a UTC day. */
  bucketMs: Type.Integer(),
  /** Every bucket of the period, oldest first, empty ones included. */
  buckets: listOf(Type.Object({ at: Type.Integer(), ...OutcomeCounts.properties })),
  sums: PeriodSums,
  /** Sums of the period before, with `compare`. */
  before: Type.Optional(PeriodSums),
  /** Counters reach to this instant; later messages are not counted yet. */
  countedTo: Type.Integer(),
  /** Messages that are not counted yet, and so in none of these figures; absent unless the oldest has waited for ten seconds. */
  uncounted: Type.Optional(Type.Integer()),
  /** Most frequent first, at most ten. `before`: turns of the period before, with `compare`. */
  topIntents: listOf(
    Type.Object({
      bot: Type.String(),
      intent: Type.String(),
      turns: Type.Integer(),
      before: Type.Optional(Type.Integer()),
    }),
  ),
  /** Usage in the current UTC month, whatever the period, of enabled bots or of the chosen one; those nearest to their cap first, at most 50. */
  usage: listOf(
    Type.Object({
      bot: Type.String(),
      messages: Type.Integer(),
      cap: Type.Optional(Type.Integer()),
      modelTokens: Type.Integer(),
      tokenBudget: Type.Optional(Type.Integer()),
    }),
  ),
  /** Of POST /chat by this server since its start, in milliseconds; absent before the first message. */
  latency: Type.Optional(
    Type.Object({ p50: Type.Number(), p95: Type.Number(), p99: Type.Number(), since: Type.Integer() }),
  ),
  /** Groups that the console's Improve page still shows for the same bots and period. Only the latest messages are grouped. */
  waiting: Type.Integer(),
  /** Messages in these groups. */
  waitingMessages: Type.Integer(),
});
export type Overview = Static<typeof Overview>;
