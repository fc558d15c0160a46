import { parseDuration } from "../domain/duration.ts";
import type { EpochMs } from "../domain/time.ts";
import { parseDate } from "./instants.ts";

/**
 * Parses a duration from `now` (`90d`, `12h`, `2w`, `30m`) or a UTC date (`2027-01-31`, `2027-01-31T12:00Z`).
 *
 * @throws Error if the text is neither, or the instant is past.
 */
export function parseExpiry(text: string, now: EpochMs): EpochMs {
  const durationMs = parseDuration(text);
  const at = durationMs === undefined ? parseDate(text) : now + durationMs;
  if (at === undefined)
    throw new Error("should be a duration such as 90d, 12h or 2w, or a date such as 2027-01-31");
  if (at <= now) throw new Error("should be in the future");
  return at;
}
