import type { EpochMs } from "../domain/time.ts";
import type { CountingState } from "../store/interface/analytics.ts";

/** Longer than it takes to count a message where counting keeps up: it looks once a second. */
const BEHIND_MS = 10_000;

/** Messages whose answer has come, and that counting is behind with. */
export interface Uncounted {
  messages: number;
  /** When the first of them came. */
  since: EpochMs;
}

/** Undefined where counting keeps up. */
export function uncountedOf({ left, leftSince }: CountingState, now: EpochMs): Uncounted | undefined {
  if (left === 0 || leftSince === undefined || now - leftSince < BEHIND_MS) return undefined;
  return { messages: left, since: leftSince };
}
