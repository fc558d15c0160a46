import type { RateLimit } from "../domain/bot.ts";
import { type BucketState, thousandthsPerMinute } from "./rate-limiter.ts";

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
