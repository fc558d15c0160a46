import { expect, test } from "bun:test";

import { stepsOf } from "../../../../src/operate/receipt/decision-steps.ts";

const MAY_HELP = "Documents that may help";

test("a turn of an earlier version that listed documents still says so", () => {
  const steps = stepsOf({ rule: "knowledge-may-help" });
  expect(steps.find(({ result }) => result === "decided")).toEqual({
    step: MAY_HELP,
    result: "decided",
    detail: "nothing matches, and documents may help",
  });
  expect(steps.at(-1)).toEqual({ step: "Nothing matched", result: "not-reached" });
});

test("of no other turn is that a step", () => {
  const steps = stepsOf({ rule: "default-intent" });
  expect(steps.map(({ step }) => step)).not.toContain(MAY_HELP);
  expect(steps.map(({ result }) => result)).toEqual([
    ...Array<"passed">(steps.length - 2).fill("passed"),
    "decided",
    "not-reached",
  ]);
});

test("where choices are asked for, that decided", () => {
  const steps = stepsOf({ rule: "no-match", suggestions: [] });
  expect(steps.find(({ result }) => result === "decided")!.step).toBe("Asking back");
});
