import { InvalidArgumentError } from "@commander-js/extra-typings";

import type { EpochMs, Now } from "../domain/time.ts";

const UNIT_MS = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;
const DURATION = /^(\d{1,6})([mhdw])$/;
const DATE = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2})?Z)?$/;

/** Milliseconds of a duration as `90d`, `12h`, `2w` or `30m`; undefined where the text is none. */
export function parseDuration(text: string): number | undefined {
  const duration = DURATION.exec(text);
  return duration ? Number(duration[1]) * UNIT_MS[duration[2] as keyof typeof UNIT_MS] : undefined;
}

/** The instant of a UTC date as `2027-01-31` or `2027-01-31T12:00Z`; undefined where the text is none. */
export function parseDate(text: string): EpochMs | undefined {
  if (!DATE.test(text)) return undefined;
  const at = Date.parse(text);
  // `Date` would move a day that no calendar has into the next month.
  return new Date(at).getUTCDate() === Number(text.slice(8, 10)) ? at : undefined;
}

/** Reads the value of an option that looks back: `7d` is seven days before now, and a date is its first instant in UTC. */
export function pastParser(now: Now): (text: string) => EpochMs {
  return (text) => {
    const durationMs = parseDuration(text);
    const at = durationMs === undefined ? parseDate(text) : now() - durationMs;
    if (at !== undefined) return at;
    throw new InvalidArgumentError(
      "It should be a duration as 7d, 12h or 2w, back from now, or a date as 2026-11-01.",
    );
  };
}
