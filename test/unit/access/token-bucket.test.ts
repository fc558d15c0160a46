import { describe, expect, test } from "bun:test";

import * as fc from "fast-check";

import { TokenBuckets } from "../../../src/access/token-bucket.ts";
import type { RateLimit } from "../../../src/domain/bot.ts";
import { seededRandom } from "../../../src/intent/training/random.ts";

const DEFAULT: RateLimit = { capacity: 10, perMinute: 20 };

function bucketsAt(startMs: number, maxCallers = 1000) {
  const clock = { nowMs: startMs };
  return { clock, buckets: new TokenBuckets({ maxCallers, now: () => clock.nowMs, hashKey: [42, 43] }) };
}

/**
 * The definition, taken literally: a message may pass when no span of time that ends with it holds more messages than
 * capacity + refill × its length. Quadratic, and in whole numbers.
 */
function idealBucket({ capacity, perMinute }: RateLimit) {
  const admittedMs: number[] = [];
  const thousandths = Math.round(perMinute * 1000);
  const admits = (atMs: number) =>
    admittedMs.every((sinceMs, index) => {
      const excess = admittedMs.length - index + 1 - capacity;
      return excess * 60_000_000 <= (atMs - sinceMs) * thousandths;
    });
  return { admits, admit: (atMs: number) => admittedMs.push(atMs) };
}

const limits = fc.record({
  capacity: fc.integer({ min: 1, max: 8 }),
  perMinute: fc.oneof(
    fc.integer({ min: 1, max: 600 }),
    fc.integer({ min: 1, max: 100_000 }).map((thousandths) => thousandths / 1000),
    fc.constantFrom(0.001, 0.1, 0.29, 7, 1 / 3, 1_000_000),
  ),
});
const gapsMs = (limit: RateLimit) => {
  const intervalMs = Math.ceil(60_000 / limit.perMinute);
  return fc.oneof(
    fc.integer({ min: 0, max: 3 }),
    fc.integer({ min: 0, max: 2 * intervalMs }),
    fc.constantFrom(intervalMs, intervalMs - 1, intervalMs + 1, 12 * intervalMs),
  );
};
const traffic = limits.chain((limit) =>
  fc.record({ limit: fc.constant(limit), gaps: fc.array(gapsMs(limit), { maxLength: 60 }) }),
);

describe("the token bucket of one caller", () => {
  test("admits capacity at once, then one per interval", () => {
    const { buckets, clock } = bucketsAt(1_700_000_000_000);
    for (let left = 9; left >= 0; left--) {
      expect(buckets.take("a", DEFAULT)).toMatchObject({ allowed: true, remaining: left });
    }
    const refused = { allowed: false, remaining: 0, retryAfterMs: 3000, fullInMs: 30_000 };
    expect(buckets.take("a", DEFAULT)).toEqual(refused);
    clock.nowMs += 2999;
    expect(buckets.take("a", DEFAULT)).toMatchObject({ allowed: false, retryAfterMs: 1 });
    clock.nowMs += 1;
    expect(buckets.take("a", DEFAULT)).toMatchObject({ allowed: true, retryAfterMs: 3000 });
  });

  test("admits exactly what the definition admits, and says exactly when", () => {
    fc.assert(
      fc.property(traffic, ({ limit, gaps }) => {
        const { buckets, clock } = bucketsAt(1_700_000_000_000);
        const ideal = idealBucket(limit);
        for (const gap of gaps) {
          clock.nowMs += gap;
          const expected = ideal.admits(clock.nowMs);
          expect(buckets.peek("a", limit).allowed).toBe(expected);
          const state = buckets.take("a", limit);
          expect(state.allowed).toBe(expected);
          if (expected) ideal.admit(clock.nowMs);
          expect(ideal.admits(clock.nowMs + state.retryAfterMs)).toBe(true);
          if (state.retryAfterMs > 0) expect(ideal.admits(clock.nowMs + state.retryAfterMs - 1)).toBe(false);
          expect(state.remaining > 0).toBe(state.retryAfterMs === 0);
        }
      }),
      { numRuns: 500 },
    );
  });

  test("says how many messages remain, and when it is full", () => {
    fc.assert(
      fc.property(traffic, ({ limit, gaps }) => {
        const { buckets, clock } = bucketsAt(0);
        for (const gap of gaps) {
          clock.nowMs += gap;
          buckets.take("a", limit);
        }
        for (let left = buckets.peek("a", limit).remaining; left > 0; left--) {
          expect(buckets.take("a", limit)).toMatchObject({ allowed: true, remaining: left - 1 });
        }
        const { fullInMs } = buckets.take("a", limit);
        clock.nowMs += fullInMs - 1;
        expect(buckets.peek("a", limit).fullInMs).toBe(1);
        clock.nowMs += 1;
        expect(buckets.peek("a", limit)).toMatchObject({ remaining: limit.capacity, fullInMs: 0 });
      }),
    );
  });

  test("does not drift over a hundred thousand messages at a rate that no interval fits", () => {
    const limit = { capacity: 2, perMinute: 7 };
    const { buckets, clock } = bucketsAt(0);
    buckets.take("a", limit);
    clock.nowMs += buckets.take("a", limit).retryAfterMs;
    for (let message = 1; message <= 100_000; message++) {
      if (clock.nowMs !== Math.ceil((message * 60_000) / 7)) throw new Error(`message ${message} drifted`);
      const state = buckets.take("a", limit);
      if (!state.allowed) throw new Error(`message ${message} was refused`);
      clock.nowMs += state.retryAfterMs;
    }
  });

  test("is not changed by a look", () => {
    const { buckets } = bucketsAt(0);
    for (let i = 0; i < 100; i++) buckets.peek("a", DEFAULT);
    expect(buckets.callers).toBe(0);
    expect(buckets.take("a", DEFAULT).remaining).toBe(9);
  });

  test("keeps its debt when the limit changes, and refills at the new rate", () => {
    const { buckets, clock } = bucketsAt(0);
    for (let i = 0; i < 10; i++) buckets.take("a", DEFAULT);
    const raised = { capacity: 12, perMinute: 60 };
    expect(buckets.take("a", raised)).toMatchObject({ allowed: true, remaining: 1 });
    clock.nowMs += 1000;
    expect(buckets.peek("a", raised).remaining).toBe(2);
    expect(buckets.take("a", { capacity: 1, perMinute: 60 })).toMatchObject({
      allowed: false,
      retryAfterMs: 10_000,
    });
  });
});

describe("a clock that is set back", () => {
  test("mints no message and locks nobody out", () => {
    const { buckets, clock } = bucketsAt(1_700_000_000_000);
    for (let i = 0; i < 10; i++) buckets.take("a", DEFAULT);
    for (const stepMs of [1, 999, 3000, 3_600_000, 1_000_000_000]) {
      clock.nowMs -= stepMs;
      expect(buckets.take("a", DEFAULT)).toMatchObject({ allowed: false, retryAfterMs: 3000 });
    }
    clock.nowMs += 5000;
    expect(buckets.take("a", DEFAULT).allowed).toBe(true);
  });
});

function limitOf(caller: string): RateLimit {
  return { capacity: 1 + (caller.length % 3) * 2, perMinute: 5 * Number(caller.slice(-1)) + 1.5 };
}

function play(maxCallers: number, sequence: [string, number][]) {
  const { buckets, clock } = bucketsAt(0, maxCallers);
  const ideals = new Map<string, ReturnType<typeof idealBucket>>();
  return sequence.map(([caller, gapMs]) => {
    clock.nowMs += gapMs;
    const ideal = ideals.get(caller) ?? idealBucket(limitOf(caller));
    ideals.set(caller, ideal);
    const expected = ideal.admits(clock.nowMs);
    const { allowed } = buckets.take(caller, limitOf(caller));
    if (allowed) ideal.admit(clock.nowMs);
    return { allowed, expected, callers: buckets.callers };
  });
}

/** The rule in plain words and a map: a bucket for each of the first `maxCallers`, shared ones for others, full ones dropped never. */
function plainBuckets(maxCallers: number) {
  const own = new Map<string, { debt: number; atMs: number }>();
  return {
    take(caller: string, { capacity, perMinute }: RateLimit, nowMs: number): boolean | "shared" {
      const before = own.get(caller);
      if (!before && own.size >= maxCallers) return "shared";
      const { debt, atMs } = before ?? { debt: 0, atMs: nowMs };
      const left = Math.max(0, debt - (nowMs - atMs) * Math.round(perMinute * 1000));
      const allowed = left <= (capacity - 1) * 60_000_000;
      own.set(caller, { debt: left + (allowed ? 60_000_000 : 0), atMs: nowMs });
      return allowed;
    },
  };
}

describe("the token buckets of many callers", () => {
  test("decide for 5,000 callers and 300,000 messages as the plain rule does, while buckets come and go", () => {
    const { buckets, clock } = bucketsAt(0, 5000);
    const plain = plainBuckets(5000);
    const random = seededRandom(7);
    let refused = 0;
    for (let message = 0; message < 300_000; message++) {
      clock.nowMs += Math.floor(random() * 5);
      // Few are busy, many come once in a while: squares favour the first.
      const caller = `caller ${Math.floor(5000 * random() ** 2)}`;
      const { allowed } = buckets.take(caller, limitOf(caller));
      if (allowed !== plain.take(caller, limitOf(caller), clock.nowMs))
        throw new Error(`message ${message}: ${caller}`);
      if (!allowed) refused++;
    }
    expect(refused).toBeGreaterThan(1000);
    expect(refused).toBeLessThan(200_000);
  });

  const callers = fc.nat({ max: 11 }).map((number) => `caller ${number}`);
  const requests = fc.array(fc.tuple(callers, fc.integer({ min: 0, max: 20_000 })), { maxLength: 120 });
  test("are exact for each while they fit", () => {
    fc.assert(
      fc.property(requests, (sequence) => {
        for (const { allowed, expected } of play(12, sequence)) expect(allowed).toBe(expected);
      }),
    );
  });

  test("are never laxer than exact when they do not fit, and keep to the bound", () => {
    fc.assert(
      fc.property(requests, fc.integer({ min: 1, max: 6 }), (sequence, maxCallers) => {
        for (const { allowed, expected, callers: size } of play(maxCallers, sequence)) {
          expect(allowed && !expected).toBe(false);
          expect(size).toBeLessThanOrEqual(maxCallers);
        }
      }),
      { numRuns: 500 },
    );
  });

  test("a caller without room shares a bucket, and takes its debt along into its own", () => {
    const { buckets, clock } = bucketsAt(0, 1);
    const slow = { capacity: 10, perMinute: 1 };
    buckets.take("first", DEFAULT);
    for (let i = 0; i < 10; i++) expect(buckets.take("second", slow).allowed).toBe(true);
    expect(buckets.take("third", DEFAULT).allowed).toBe(false);
    clock.nowMs += 60_000;
    expect(buckets.take("second", slow)).toMatchObject({ allowed: true, remaining: 0 });
    expect(buckets.callers).toBe(1);
    expect(buckets.take("first", DEFAULT).remaining).toBe(0);
  });

  test("spread callers without room over many shared buckets", () => {
    const { buckets } = bucketsAt(0, 6400);
    for (let caller = 0; caller < 6400; caller++) buckets.take(`own ${caller}`, DEFAULT);
    const admitted = Array.from({ length: 500 }, (_, caller) => buckets.take(`further ${caller}`, DEFAULT));
    expect(admitted.filter(({ allowed }) => allowed).length).toBeGreaterThan(450);
  });

  test("take up bounded memory for a million callers, which is freed as buckets fill", () => {
    const { buckets, clock } = bucketsAt(0, 10_000);
    let most = 0;
    for (let caller = 0; caller < 1_000_000; caller++) {
      if (caller % 100 === 0) clock.nowMs += 1;
      buckets.take(`caller ${caller}`, DEFAULT);
      most = Math.max(most, buckets.callers);
    }
    expect(most).toBe(10_000);
    clock.nowMs += 30_000;
    for (let i = 0; i < 5000; i++) buckets.take("one", DEFAULT);
    expect(buckets.callers).toBe(1);
  });
});
