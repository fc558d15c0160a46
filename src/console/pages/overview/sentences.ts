import type { Outcome, Overview, Period, PeriodSums } from "../../../domain/operator/overview.ts";
import { change, count, percent, percentSign } from "../../words/numbers.ts";
import { utcDay, utcHour, utcShortDay } from "../../words/times.ts";

/** How long a period is, in words that follow "the last". */
export const PERIOD_WORDS: Readonly<Record<Period, string>> = {
  "24h": "24 hours",
  "7d": "7 days",
  "30d": "30 days",
  "90d": "90 days",
};

/** The share of an outcome, 0–1; 0 where there were no messages. */
export function shareOf(sums: PeriodSums, outcome: Outcome): number {
  return sums.messages === 0 ? 0 : sums[outcome] / sums.messages;
}

/** Smaller changes of a share are not mentioned: half a percentage point is 5 in 1,000 messages. Chosen by hand. */
const NOTABLE = 0.005;

/** Whether a share got worse by a notable amount. Refusals and questions back are intended, so more of them are not worse. */
export function isWorse(outcome: Outcome, before: number, now: number): boolean {
  if (Math.abs(now - before) < NOTABLE) return false;
  if (outcome === "answered") return now < before;
  return (outcome === "unmatched" || outcome === "failed") && now > before;
}

/** Ends the sentence that begins "86.9 % of 55,855 messages were answered"; a second one follows if the share not understood has changed. */
export function comparison({ sums, before }: Overview, period: Period): string {
  if (before === undefined || before.messages === 0) return ".";
  const more = change(before.messages, sums.messages)!;
  const amount = more.startsWith("−") ? `${more.slice(1)} fewer` : `${more.slice(1)} more`;
  const isSame = /^[+−]0\D/.test(more);
  const volume = isSame ? ", as many as" : `, ${amount} messages than`;
  return `${volume} in the ${PERIOD_WORDS[period]} before.${notUnderstood(before, sums)}`;
}

function notUnderstood(before: PeriodSums, now: PeriodSums): string {
  const [was, is] = [shareOf(before, "unmatched"), shareOf(now, "unmatched")];
  if (Math.abs(is - was) < NOTABLE) return "";
  return ` Not understood ${is > was ? "rose" : "fell"} from ${percent(was)} to ${percentSign(is)}.`;
}

type Bucket = Overview["buckets"][number];

/** All messages of a bucket. */
export const totalOf = ({ answered, asked, unmatched, refused, failed }: Bucket): number =>
  answered + asked + unmatched + refused + failed;

const DAY_MS = 86_400_000;

/** Name of a bucket: `Tue 17 Nov` for a day, `14:00 on 17 Nov` for an hour. */
export function bucketName(at: number, bucketMs: number): string {
  return bucketMs >= DAY_MS ? utcDay(at) : `${utcHour(at)} on ${utcShortDay(at)}`;
}

/** The chart in words: the busiest time, its difference from the same weekday's median, and the time of most failures. */
export function takeaway({ buckets, bucketMs, sums }: Overview): string {
  const busiest = buckets.reduce((best, each) => (totalOf(each) > totalOf(best) ? each : best));
  const most = totalOf(busiest);
  const name = bucketName(busiest.at, bucketMs);
  const usual = usualFor(busiest, buckets, bucketMs);
  const above = usual === undefined || usual === 0 ? undefined : most / usual - 1;
  const weekday = new Intl.DateTimeFormat("en-GB", { weekday: "long", timeZone: "UTC" }).format(busiest.at);
  const comparedWith =
    above !== undefined && above >= 0.1 ? `, ${Math.round(above * 100)} % above an ordinary ${weekday}` : "";
  const failed = sums.failed > 0 ? worstFailure(buckets, bucketMs) : "";
  return `The busiest was ${name} with ${count(most)}${comparedWith}.${failed}`;
}

/** The median of the other days of the same weekday; undefined for hours, or if there are fewer than two such days. */
function usualFor(busiest: Bucket, buckets: readonly Bucket[], bucketMs: number): number | undefined {
  if (bucketMs < DAY_MS) return undefined;
  const others = buckets
    .filter((each) => each !== busiest && (each.at - busiest.at) % (7 * DAY_MS) === 0)
    .map(totalOf)
    .toSorted((one, other) => one - other);
  return others.length < 2 ? undefined : others[Math.floor(others.length / 2)];
}

/** Names the bucket with most failures, if it has at least five and at least half of all. */
function worstFailure(buckets: readonly Bucket[], bucketMs: number): string {
  const worst = buckets.reduce((most, each) => (each.failed > most.failed ? each : most));
  const all = buckets.reduce((sum, { failed }) => sum + failed, 0);
  if (worst.failed < 5 || worst.failed < all / 2) return "";
  const preposition = bucketMs >= DAY_MS ? "on" : "at";
  return ` Most failures, ${count(worst.failed)}, were ${preposition} ${bucketName(worst.at, bucketMs)}.`;
}
