import { describe, expect, test } from "bun:test";

import { guardLines } from "../../../src/console/change/guard.ts";
import type { PublishPreview } from "../../../src/domain/operator/bots.ts";

const NOTHING: PublishPreview = {
  baseVersion: 1,
  mistakes: [],
  tests: [],
  messages: 0,
  distinct: 0,
  newlyAnswered: [],
  worse: [],
  improved: [],
  moved: [],
  replacesFile: false,
  tookMs: 1,
};
const test1 = { test: 1, utterance: "hi", passed: true, mismatches: [] };

describe("the summary of changes", () => {
  test("reports nothing as checked if the YAML has errors", () => {
    const mistakes = [{ message: "`id` is missing", severity: "error" as const }];
    expect(guardLines({ ...NOTHING, mistakes })).toEqual([
      { kind: "fault", strong: "1 error in the YAML.", rest: "`id` is missing" },
      { kind: "note", strong: "Nothing else was checked:", rest: "correct the errors first." },
    ]);
  });

  test("counts the tests that pass", () => {
    const linesOf = (...passed: boolean[]) =>
      guardLines({ ...NOTHING, tests: passed.map((is) => ({ ...test1, passed: is })) }).map(
        ({ strong }) => strong,
      );
    expect(linesOf(true)).toContain("The test passes.");
    expect(linesOf(true, true)).toContain("All 2 tests pass.");
    expect(linesOf(true, false)).toContain("1 of 2 tests pass.");
  });
});
