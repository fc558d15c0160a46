import type { EpochMs } from "../domain/time.ts";

const UNIT_MS = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;
const DURATION = /^(\d{1,6})([mhdw])$/;
const DATE = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2})?Z)?$/;

/**
 * The instant that `text` names: a duration from `now` (`90d`, `12h`, `2w`, `30m`) or a UTC date (`2027-01-31`,
 * `2027-01-31T12:00Z`).
 *
 * @throws Error when it names none, or one that is past.
 */
export function parseExpiry(text: string, now: EpochMs): EpochMs {
  const duration = DURATION.exec(text);
  const at = duration
    ? now + Number(duration[1]) * UNIT_MS[duration[2] as keyof typeof UNIT_MS]
    : parseDate(text);
  if (Number.isNaN(at)) throw new Error("should be a duration as 90d, 12h or 2w, or a date as 2027-01-31");
  if (at <= now) throw new Error("should be in the future");
  return at;
}

/** NaN for a day that no calendar has, which `Date` would move into the next month. */
function parseDate(text: string): EpochMs {
  if (!DATE.test(text)) return Number.NaN;
  const at = Date.parse(text);
  return new Date(at).getUTCDate() === Number(text.slice(8, 10)) ? at : Number.NaN;
}
