import { describe, expect, test } from "bun:test";

import { createAuthFailures } from "../../../src/access/rate-limiter.ts";
import { TokenBuckets } from "../../../src/access/token-bucket.ts";

function authFailures() {
  const clock = { nowMs: 0 };
  const limiter = new TokenBuckets({ maxCallers: 100, now: () => clock.nowMs, hashKey: [1, 2] });
  const failures = createAuthFailures(limiter);
  const fail = async (address: string, times: number) => {
    for (let i = 0; i < times; i++) await failures.record(address);
  };
  return { failures, fail, clock };
}

describe("failed authentications", () => {
  test("block an address after thirty, for six seconds", async () => {
    const { failures, fail, clock } = authFailures();
    await fail("203.0.113.7", 29);
    expect(await failures.record("203.0.113.7")).toBe(0);
    expect(await failures.record("203.0.113.7")).toBe(6000);
    clock.nowMs += 5999;
    expect(await failures.record("203.0.113.7")).toBe(1);
    clock.nowMs += 1;
    expect(await failures.record("203.0.113.7")).toBe(0);
  });

  test("block at the thirty-first, however many come at once", async () => {
    const { failures } = authFailures();
    const waits = await Promise.all(Array.from({ length: 100 }, () => failures.record("203.0.113.7")));
    expect(waits.filter((waitMs) => waitMs === 0).length).toBe(30);
  });

  test("while blocked do not lengthen the block", async () => {
    const { failures, fail } = authFailures();
    await fail("203.0.113.7", 300);
    expect(await failures.record("203.0.113.7")).toBe(6000);
  });

  test("block no other address, and IPv6 by its /64", async () => {
    const { failures, fail } = authFailures();
    await fail("2001:db8::1", 15);
    await fail("2001:db8::2", 15);
    expect(await failures.record("2001:db8::3")).toBe(6000);
    expect(await failures.record("2001:db8:0:1::1")).toBe(0);
    expect(await failures.record("203.0.113.7")).toBe(0);
  });
});
