import { describe, expect, test } from "bun:test";

import { outcomeOf } from "../../../src/domain/operator/outcome.ts";
import { periodUpTo, rangesOf } from "../../../src/operate/console/overview.ts";

const HOUR = 60 * 60 * 1000;
const DAY = 24 * HOUR;
const NOW = Date.UTC(2026, 10, 20, 12, 30);
const MIDNIGHT = Date.UTC(2026, 10, 20);

describe("a period", () => {
  test("of a day has 24 hours, the one that has begun among them", () => {
    const { starts, from, to, bucket } = periodUpTo(NOW, "24h");
    expect([starts.length, starts.at(-1), from, to, bucket]).toEqual([
      24,
      NOW - HOUR / 2,
      NOW - HOUR / 2 - 23 * HOUR,
      NOW,
      "hour",
    ]);
  });

  test("of 30 days has as many UTC days", () => {
    const { starts, from } = periodUpTo(NOW, "30d");
    expect([starts.length, starts.at(-1), from]).toEqual([30, MIDNIGHT, MIDNIGHT - 29 * DAY]);
  });

  test.each([
    [NOW - 2 * DAY, NOW],
    [MIDNIGHT - DAY, NOW],
    [MIDNIGHT, MIDNIGHT + DAY],
    [NOW - 3 * HOUR, NOW],
    [MIDNIGHT - 3 * HOUR, MIDNIGHT + 2 * HOUR],
  ])("from %p to %p is made up of hours and days that follow on one another", (from, to) => {
    const start = Math.floor(from / HOUR) * HOUR;
    const ranges = rangesOf(start, to);
    expect(ranges[0]!.from).toBe(start);
    expect(ranges.at(-1)!.to).toBe(Math.ceil(to / HOUR) * HOUR);
    for (const [i, range] of ranges.entries()) {
      if (i > 0) expect(range.from).toBe(ranges[i - 1]!.to);
      if (range.bucket === "day") expect([range.from % DAY, range.to % DAY]).toEqual([0, 0]);
    }
  });
});

describe("what became of a message", () => {
  test.each([
    [{ state: "complete", hasSuggestions: false }, "answered"],
    [{ state: "cut", hasSuggestions: false }, "answered"],
    [{ state: "complete", hasSuggestions: true }, "answered"],
    [{ state: "complete", enforcementReason: "no_intent_match", hasSuggestions: true }, "asked"],
    [{ state: "complete", enforcementReason: "no_intent_match", hasSuggestions: false }, "unmatched"],
    [{ state: "complete", enforcementReason: "DENY_LIST", hasSuggestions: true }, "refused"],
    [{ state: "complete", enforcementReason: "NOT_IN_ALLOW_LIST", hasSuggestions: false }, "refused"],
    [{ state: "complete", enforcementReason: "schema_fallback", hasSuggestions: false }, "failed"],
    [{ state: "unanswered", hasSuggestions: false }, "failed"],
  ] as const)("%p is %p", (turn, outcome) => {
    expect(outcomeOf(turn)).toBe(outcome);
  });
});
