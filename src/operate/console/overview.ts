import type { BotId } from "../../domain/ids.ts";
import {
  type Outcome,
  OUTCOMES,
  type Overview,
  type Period,
  type PeriodSums,
} from "../../domain/operator/overview.ts";
import { type EpochMs, type Now, DAY_MS, HOUR_MS } from "../../domain/time.ts";
import type { CountRange, IntentCount } from "../../store/interface/analytics.ts";
import type { BotKey } from "../../store/interface/bots.ts";
import type { Analytics, Store } from "../../store/interface/store.ts";
import { uncountedOf } from "../doctor/backlog.ts";
import { findBotKey } from "./find-bot.ts";

/** The parts that the overview uses. */
export interface OverviewParts {
  store: Pick<Store, "readUsage"> & {
    analytics: Analytics;
    bots: Pick<Store["bots"], "find" | "listEnabled">;
  };
  now: Now;
  /** Latency of POST /chat on this server. */
  latency: () => Promise<Overview["latency"]>;
  /** Groups not dealt with, and the number of their messages. */
  countWaiting: (bot: string | undefined, since: EpochMs) => Promise<{ groups: number; messages: number }>;
}

export interface OverviewQuery {
  bot?: string;
  period: Period;
  /** Whether to include the period before. */
  compare: boolean;
}

type Counts = Record<Outcome, number>;

const MAX_INTENTS = 10;
const MAX_BOTS = 50;

/** The overview of a period. @throws ServiceError NOT_FOUND if there is no such bot. */
export async function readOverview(parts: OverviewParts, query: OverviewQuery): Promise<Overview> {
  const { store, now, latency, countWaiting } = parts;
  const { analytics } = store;
  const bot = await findBotKey(store.bots, query.bot);
  const period = periodUpTo(now(), query.period);
  const { from, to, lengthMs } = period;
  const before = query.compare ? await sumsOf(analytics, from - lengthMs, to - lengthMs, bot) : undefined;
  const counting = await analytics.countingState();
  const uncounted = uncountedOf(counting, to);
  const shownLatency = await latency();
  const waiting = await countWaiting(query.bot, from);
  return {
    from,
    to,
    bucketMs: period.bucketMs,
    buckets: await bucketsOf(analytics, period, bot),
    sums: await sumsOf(analytics, from, to, bot),
    ...(before && { before }),
    countedTo: counting.openSince ?? to,
    ...(uncounted && { uncounted: uncounted.messages }),
    topIntents: await topIntents(analytics, period, bot, query.compare),
    usage: await usageOf(store, to, query.bot),
    ...(shownLatency && { latency: shownLatency }),
    waiting: waiting.groups,
    waitingMessages: waiting.messages,
  };
}

const noCounts = (): Counts => Object.fromEntries(OUTCOMES.map((outcome) => [outcome, 0])) as Counts;

/** The filter for a bot, if one is given. */
const ofBot = (bot: BotKey | undefined) => (bot === undefined ? {} : { bot });

async function bucketsOf(analytics: Analytics, period: PeriodBuckets, bot: BotKey | undefined) {
  const { from, bucket, bucketMs, starts } = period;
  const counts = await analytics.countOutcomes({
    bucket,
    from,
    to: starts.at(-1)! + bucketMs,
    ...ofBot(bot),
  });
  const buckets = new Map(starts.map((at) => [at, { at, ...noCounts() }]));
  for (const { at, outcome, turns } of counts) buckets.get(at)![outcome] += turns;
  return [...buckets.values()];
}

async function sumsOf(
  analytics: Analytics,
  from: EpochMs,
  to: EpochMs,
  bot: BotKey | undefined,
): Promise<PeriodSums> {
  const sums = { ...noCounts(), messages: 0, conversations: 0, ratedUp: 0, ratedDown: 0 };
  for (const range of rangesOf(from, to)) {
    for (const { outcome, turns } of await analytics.countOutcomes({ ...range, ...ofBot(bot) })) {
      sums[outcome] += turns;
      sums.messages += turns;
    }
    const rated = await analytics.countRatings({ ...range, ...ofBot(bot) });
    sums.ratedUp += rated.up;
    sums.ratedDown += rated.down;
    sums.conversations += await analytics.countConversations({ ...range, ...ofBot(bot) });
  }
  return sums;
}

async function topIntents(
  analytics: Analytics,
  { from, to, lengthMs }: PeriodBuckets,
  bot: BotKey | undefined,
  isCompared: boolean,
): Promise<Overview["topIntents"]> {
  const intents = await intentsOf(analytics, from, to, bot);
  const top = [...intents.values()].toSorted((a, b) => b.turns - a.turns).slice(0, MAX_INTENTS);
  if (!isCompared) return top;
  const before = await intentsOf(analytics, from - lengthMs, to - lengthMs, bot);
  return top.map((count) => ({ ...count, before: before.get(keyOf(count))?.turns ?? 0 }));
}

const keyOf = ({ bot, intent }: IntentCount) => `${bot} ${intent}`;

async function intentsOf(analytics: Analytics, from: EpochMs, to: EpochMs, bot: BotKey | undefined) {
  const sums = new Map<string, IntentCount>();
  for (const range of rangesOf(from, to)) {
    for (const count of await analytics.countIntents({ ...range, ...ofBot(bot) })) {
      sums.getOrInsertComputed(keyOf(count), () => ({ ...count, turns: 0 })).turns += count.turns;
    }
  }
  return sums;
}

/** Use in the current month; bots nearest to their cap first. */
async function usageOf(
  store: OverviewParts["store"],
  now: EpochMs,
  only: string | undefined,
): Promise<Overview["usage"]> {
  const heads = (await store.bots.listEnabled()).filter(
    ({ id }) => only === undefined || id === (only as BotId),
  );
  const used = await store.readUsage(
    heads.map(({ key }) => key),
    now,
  );
  const share = ({ messages, cap }: { messages: number; cap?: number }) =>
    cap === undefined ? 0 : messages / cap;
  return heads
    .map(({ key, id, limits }) => {
      const { messages = 0, modelTokens = 0 } = used.get(key) ?? {};
      const { monthlyMessageCap: cap, monthlyTokenBudget: tokenBudget } = limits;
      return {
        bot: id,
        messages,
        ...(cap !== undefined && { cap }),
        modelTokens,
        ...(tokenBudget !== undefined && { tokenBudget }),
      };
    })
    .toSorted((a, b) => share(b) - share(a) || b.messages - a.messages)
    .slice(0, MAX_BOTS);
}

const DAYS: Readonly<Record<Period, number>> = { "24h": 1, "7d": 7, "30d": 30, "90d": 90 };

/** A period up to now, with its buckets. */
interface PeriodBuckets {
  from: EpochMs;
  to: EpochMs;
  bucket: CountRange["bucket"];
  bucketMs: number;
  /** Start of each bucket, oldest first. */
  starts: readonly EpochMs[];
  lengthMs: number;
}

/** The period up to now, in hours for a day and else in UTC days, including the current one. */
export function periodUpTo(now: EpochMs, period: Period): PeriodBuckets {
  const lengthMs = DAYS[period] * DAY_MS;
  const bucket = period === "24h" ? "hour" : "day";
  const bucketMs = bucket === "hour" ? HOUR_MS : DAY_MS;
  const count = lengthMs / bucketMs;
  const last = now - (now % bucketMs);
  const starts = Array.from({ length: count }, (_, i) => last - (count - 1 - i) * bucketMs);
  return { from: starts[0]!, to: now, bucket, bucketMs, starts, lengthMs };
}

/** The hour and day counts that cover a range: whole days, and the hours before and after them. An hour that has begun counts fully. */
export function rangesOf(from: EpochMs, to: EpochMs): Omit<CountRange, "bot">[] {
  const end = Math.ceil(to / HOUR_MS) * HOUR_MS;
  const firstDay = Math.min(Math.ceil(from / DAY_MS) * DAY_MS, end);
  const lastDay = Math.max(firstDay, end - (end % DAY_MS));
  const ranges: Omit<CountRange, "bot">[] = [
    { bucket: "hour", from, to: firstDay },
    { bucket: "day", from: firstDay, to: lastDay },
    { bucket: "hour", from: lastDay, to: end },
  ];
  return ranges.filter((range) => range.from < range.to);
}
