import type { EpochMs } from "../domain/time.ts";
import type { CountingState } from "../store/interface/analytics.ts";

/** Longer than counting normally takes: it runs once a second. */
const BEHIND_MS = 10_000;

/** Answered messages that are not counted yet. */
export interface Uncounted {
  messages: number;
  /** Time of the oldest. */
  since: EpochMs;
}

/** Undefined if counting is up to date. */
export function uncountedOf({ left, leftSince }: CountingState, now: EpochMs): Uncounted | undefined {
  if (left === 0 || leftSince === undefined || now - leftSince < BEHIND_MS) return undefined;
  return { messages: left, since: leftSince };
}
