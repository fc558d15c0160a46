import { beforeEach, describe, expect, test } from "bun:test";

import {
  CircuitBreaker,
  FAILURES_TO_OPEN,
  MAX_REST_MS,
  OPEN_MS,
} from "../../../src/model/circuit-breaker.ts";

const clock = { nowMs: 0 };
let breaker: CircuitBreaker;

function failTimes(count: number): void {
  for (let failure = 0; failure < count; failure += 1) breaker.failed();
}

beforeEach(() => {
  breaker = new CircuitBreaker(() => clock.nowMs);
});

describe("a circuit breaker", () => {
  test("stays closed when a success comes between failures", () => {
    failTimes(FAILURES_TO_OPEN - 1);
    breaker.succeeded();
    failTimes(FAILURES_TO_OPEN - 1);
    expect(breaker.admit()).toBe(true);
  });

  test("gives a server the rest that it asks for, within reason", () => {
    breaker.rest(24 * 60 * 60_000);
    clock.nowMs += MAX_REST_MS - 1;
    expect(breaker.admit()).toBe(false);
    clock.nowMs += 1;
    expect(breaker.admit()).toBe(true);
  });

  test("lets one trial through after its time, and no second beside it", () => {
    failTimes(FAILURES_TO_OPEN);
    clock.nowMs += OPEN_MS - 1;
    expect(breaker.admit()).toBe(false);
    clock.nowMs += 1;
    expect([breaker.admit(), breaker.admit()]).toEqual([true, false]);
  });

  test("stays open as long again when the trial fails", () => {
    failTimes(FAILURES_TO_OPEN);
    clock.nowMs += OPEN_MS;
    breaker.admit();
    breaker.failed();
    clock.nowMs += OPEN_MS - 1;
    expect(breaker.admit()).toBe(false);
    clock.nowMs += 1;
    expect(breaker.admit()).toBe(true);
  });

  test("allows another trial when the first one's caller left", () => {
    failTimes(FAILURES_TO_OPEN);
    clock.nowMs += OPEN_MS;
    breaker.admit();
    breaker.abandoned();
    expect(breaker.admit()).toBe(true);
  });
});
