import type { RateLimit } from "../domain/bot.ts";
import type { Awaitable } from "../domain/waiting.ts";
import { callerAddressKey } from "./client-address.ts";

/** State of a caller's token bucket. */
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

const POLICY = '"caller"';

/**
 * `RateLimit-Policy` and `RateLimit` as in draft-ietf-httpapi-ratelimit-headers-11, and `Retry-After` on a refusal. Quota and
 * window of the policy are the capacity and the seconds in which an empty bucket fills; `t` is the seconds until the
 * caller's bucket is full, or, when it holds no message, until it holds one.
 */
export function rateLimitHeaders(limit: RateLimit, state: BucketState): Record<string, string> {
  const windowMs = (limit.capacity * 60_000 * 1000) / thousandthsPerMinute(limit);
  const resetMs = state.remaining > 0 ? state.fullInMs : state.retryAfterMs;
  const headers: Record<string, string> = {
    "RateLimit-Policy": `${POLICY};q=${limit.capacity};w=${wholeSeconds(windowMs)}`,
    RateLimit: `${POLICY};r=${state.remaining};t=${wholeSeconds(resetMs)}`,
  };
  if (!state.allowed) headers["Retry-After"] = retryAfter(state.retryAfterMs);
  return headers;
}

/** The value of `Retry-After` for a wait: whole seconds, at least one, never too early. */
export function retryAfter(waitMs: number): string {
  return String(Math.max(1, wholeSeconds(waitMs)));
}

function wholeSeconds(ms: number): number {
  return Math.ceil(ms / 1000);
}

/**
 * Limit of failed authentications per address. An embed token has 178 random bits, so any limit prevents guessing; this one is generous,
 * because a whole office may share an address, and a page with a revoked token keeps asking.
 */
export const AUTH_FAILURE_LIMIT: RateLimit = { capacity: 30, perMinute: 10 };

export interface AuthFailures {
  /**
   * Counts a failed authentication of an address (check 1 of “Order of checks” in docs/api.md).
   *
   * @returns milliseconds until the address may fail again; further failures in this time do not prolong it. 0: it may, and gets 401 instead
   * of 429.
   */
  record(clientAddress: string): Promise<number>;
}

/** @param limiter must serve nothing else: otherwise a flood of bad tokens would use up the room of callers' buckets. */
export function createAuthFailures(
  limiter: RateLimiter,
  limit: RateLimit = AUTH_FAILURE_LIMIT,
): AuthFailures {
  return {
    async record(clientAddress) {
      const { allowed, retryAfterMs } = await limiter.take(callerAddressKey(clientAddress), limit);
      return allowed ? 0 : retryAfterMs;
    },
  };
}
