import type { RateLimit } from "../domain/bot.ts";
import { callerAddressKey } from "./client-address.ts";
import type { RateLimiter } from "./rate-limiter.ts";

/**
 * Failed authentications an address may have. Generous, because a whole office may stand behind one address, and a web page
 * with a revoked token keeps asking; against the 178 bits of an embed token any limit is enough.
 */
export const AUTH_FAILURE_LIMIT: RateLimit = { capacity: 30, perMinute: 10 };

export interface AuthFailures {
  /**
   * Counts a failed authentication. Milliseconds for which the address is told to wait instead of what is wrong with its token, which do not
   * grow while it waits; 0: it is told (check 1 of “Order of checks” in docs/api.md).
   */
  record(clientAddress: string): Promise<number>;
}

/** `limiter` should serve nothing else, so that a flood of bad tokens displaces no caller's bucket. */
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
