import type { Now } from "../domain/time.ts";

const STANDSTILL_MS = 1000;

/**
 * Whole milliseconds that never run backwards. Where `now` falls back by up to a second, time stands still until it has
 * caught up; a greater step back was the clock being set, and time goes on from where it was.
 */
export function steadyClock(now: Now): Now {
  let offset = 0;
  let latest = Math.floor(now());
  return () => {
    const reading = Math.floor(now()) + offset;
    if (reading < latest - STANDSTILL_MS) offset += latest - reading;
    else latest = Math.max(latest, reading);
    return latest;
  };
}
