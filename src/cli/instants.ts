import { InvalidArgumentError } from "@commander-js/extra-typings";

import { parseDuration } from "../domain/duration.ts";
import type { EpochMs, Now } from "../domain/time.ts";

const DATE = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2})?Z)?$/;

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
