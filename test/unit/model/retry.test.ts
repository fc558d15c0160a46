import { describe, expect, test } from "bun:test";

import { backoffMs, parseRetryAfterMs } from "../../../src/model/http-call.ts";

const NOW = Date.UTC(2026, 10, 2, 12);

describe("Retry-After", () => {
  test.each([
    [null, undefined],
    ["2", 2000],
    ["0.5", 500],
    ["Mon, 02 Nov 2026 12:00:30 GMT", 30_000],
    ["Mon, 02 Nov 2026 11:00:00 GMT", 0],
    ["soon", undefined],
  ])("%j means %p ms", (header, expected) => {
    expect(parseRetryAfterMs(header, NOW)).toBe(expected as number);
  });
});

test("backoff doubles, and takes off up to half", () => {
  expect([0, 1, 2].map((retry) => backoffMs(retry, () => 0))).toEqual([200, 400, 800]);
  expect(backoffMs(1, () => 0.999)).toBeCloseTo(200, 0);
});
