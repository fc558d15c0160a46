import type { Awaitable } from "../domain/awaitable.ts";
import type { RateLimit } from "../domain/bot.ts";

/** How a caller stands after a request, or before one. */
export interface BucketState {
  /** Whether this message is admitted. */
  allowed: boolean;
  /** Whole messages that would be admitted now. */
  remaining: number;
  /** Milliseconds until another message is admitted; 0: at once. */
  retryAfterMs: number;
  /** Milliseconds until the bucket is full. */
  fullInMs: number;
}

/**
 * Counts messages per caller: in memory, or on a server that several processes share. A caller has one limit: a change of it
 * counts from the caller's next message on.
 */
export interface RateLimiter {
  /** Takes one message out of the caller's bucket, if it holds a whole one. */
  take(callerKey: string, limit: RateLimit): Awaitable<BucketState>;
}

/** `perMinute` as the whole number of thousandths that limits are counted in. */
export function thousandthsPerMinute(limit: RateLimit): number {
  return Math.round(limit.perMinute * 1000);
}
