import { describe, expect, test } from "bun:test";

import * as fc from "fast-check";

import { rateLimitHeaders, retryAfter } from "../../../src/access/rate-limiter.ts";

const LIMIT = { capacity: 10, perMinute: 20 };

describe("the rate limit headers", () => {
  test("tell what remains, and when the bucket is full again", () => {
    const state = { allowed: true, remaining: 9, retryAfterMs: 0, fullInMs: 3000 };
    expect(rateLimitHeaders(LIMIT, state)).toEqual({
      "RateLimit-Policy": '"caller";q=10;w=30',
      RateLimit: '"caller";r=9;t=3',
    });
  });

  test("tell when the next message is admitted once none remains", () => {
    const state = { allowed: true, remaining: 0, retryAfterMs: 2001, fullInMs: 29_001 };
    expect(rateLimitHeaders(LIMIT, state)["RateLimit"]).toBe('"caller";r=0;t=3');
    expect(rateLimitHeaders(LIMIT, state)).not.toHaveProperty("Retry-After");
  });

  test("carry Retry-After on a refusal, for the same instant", () => {
    const state = { allowed: false, remaining: 0, retryAfterMs: 1, fullInMs: 27_001 };
    expect(rateLimitHeaders(LIMIT, state)).toMatchObject({
      RateLimit: '"caller";r=0;t=1',
      "Retry-After": "1",
    });
  });

  test.each([
    [{ capacity: 7, perMinute: 0.7 }, '"caller";q=7;w=600'],
    [{ capacity: 10, perMinute: 7 }, '"caller";q=10;w=86'],
    [{ capacity: 1_000_000, perMinute: 0.001 }, '"caller";q=1000000;w=60000000000'],
    [{ capacity: 1, perMinute: 1_000_000 }, '"caller";q=1;w=1'],
  ])("state the policy in whole numbers: %j", (limit, policy) => {
    const state = { allowed: true, remaining: 1, retryAfterMs: 0, fullInMs: 0 };
    expect(rateLimitHeaders(limit, state)["RateLimit-Policy"]).toBe(policy);
  });

  test("never call a client back too early, nor a second too late", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10 ** 12 }), (waitMs) => {
        const lateMs = Number(retryAfter(waitMs)) * 1000 - waitMs;
        return lateMs >= 0 && lateMs < 1000;
      }),
    );
    expect(retryAfter(0)).toBe("1");
  });
});
