import { describe, expect, test } from "bun:test";

import { parseExpiry } from "../../../src/cli/option-values.ts";

const NOW = Date.UTC(2026, 10, 21, 12);

describe("an expiry", () => {
  test.each([
    ["30m", "2026-11-21T12:30:00.000Z"],
    ["12h", "2026-11-22T00:00:00.000Z"],
    ["90d", "2027-02-19T12:00:00.000Z"],
    ["2w", "2026-12-05T12:00:00.000Z"],
    ["2027-01-31", "2027-01-31T00:00:00.000Z"],
    ["2027-01-31T08:30Z", "2027-01-31T08:30:00.000Z"],
  ])("%s is %s", (text, expected) => {
    expect(new Date(parseExpiry(text, NOW)).toISOString()).toBe(expected);
  });

  test.each([
    "",
    "90",
    "d",
    "-1d",
    "1.5d",
    "90 d",
    "90D",
    "1y",
    "9999999d",
    "2027-02-30",
    "2027-13-01",
    "tomorrow",
  ])("%p is none", (text) => {
    expect(() => parseExpiry(text, NOW)).toThrow("Use a duration");
  });

  test.each(["0d", "2026-11-21", "2020-01-01"])("%s is past", (text) => {
    expect(() => parseExpiry(text, NOW)).toThrow("It has to be in the future.");
  });
});
