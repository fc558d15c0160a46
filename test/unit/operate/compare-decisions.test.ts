import { describe, expect, test } from "bun:test";

import type { Outcome } from "../../../src/domain/operator/overview.ts";
import { kindOf } from "../../../src/operate/preview/compare-decisions.ts";

const decided = (outcome: Outcome, intent: string | null = null, chance = 0.8) => ({
  outcome,
  intent,
  reason: outcome === "refused" ? "DENY_LIST" : null,
  rule: "best-intent",
  chance,
});

describe("a message that a draft decides otherwise", () => {
  test.each([
    ["a refusal that becomes an answer", decided("refused", "a"), decided("answered", "a"), "newlyAnswered"],
    [
      "a refusal that becomes another intent's answer",
      decided("refused", "a"),
      decided("answered", "b"),
      "newlyAnswered",
    ],
    ["an answer that is lost", decided("answered", "a"), decided("unmatched"), "worse"],
    ["an answer that is asked back", decided("answered", "a"), decided("asked"), "worse"],
    ["an answer that is refused", decided("answered", "a"), decided("refused", "a"), "worse"],
    ["another answer, less sure", decided("answered", "a", 0.9), decided("answered", "b", 0.7), "worse"],
    ["another answer, as sure", decided("answered", "a", 0.7), decided("answered", "b", 0.7), "moved"],
    ["what was not understood, and is", decided("unmatched"), decided("answered", "a"), "improved"],
    ["what was asked back, and is answered", decided("asked"), decided("answered", "a"), "improved"],
    ["what was not understood, and is asked back", decided("unmatched"), decided("asked"), "improved"],
    ["what was asked back, and no longer is", decided("asked"), decided("unmatched"), "worse"],
    ["a refusal that no longer is one", decided("refused", "a"), decided("unmatched"), "worse"],
    ["another refusal", decided("refused", "a"), decided("refused", "b"), "moved"],
    ["what is refused now", decided("unmatched"), decided("refused", "a"), "moved"],
    [
      "the same, with another chance",
      decided("answered", "a", 0.9),
      decided("answered", "a", 0.5),
      undefined,
    ],
  ] as const)("%s", (_, before, after, kind) => {
    expect(kindOf({ ...before }, { ...after })).toBe(kind);
  });
});
