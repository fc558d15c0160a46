import type { Period } from "../../domain/operator/overview.ts";
import type { EpochMs } from "../../domain/time.ts";
import type { CountRange } from "../../store/interface/analytics.ts";

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;

const DAYS: Readonly<Record<Period, number>> = { "24h": 1, "7d": 7, "30d": 30, "90d": 90 };

/** A period up to now, with its buckets. */
export interface PeriodBuckets {
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
