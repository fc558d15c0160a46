import { expect, test } from "bun:test";

import { choicesOf } from "../../../src/widget/conversation/choices.ts";

const answer = (text: string, enforcementReason = "no_intent_match") => ({
  id: "a",
  role: "bot" as const,
  at: 0,
  text,
  metadata: { capabilityAllowed: false, schemaEnforced: false, schemaFallbackUsed: false, enforcementReason },
});

test.each([
  ["Did you mean: Returns?", ["Returns"]],
  ["Did you mean: Orders or Returns?", ["Orders", "Returns"]],
  ["Did you mean: Track an order, Shipping or Returns?", ["Track an order", "Shipping", "Returns"]],
  ["Did you mean: Black or white, Shipping or Returns?", ["Black or white", "Shipping", "Returns"]],
  ["Please say that in other words.", []],
])("%p offers %p", (text, choices) => {
  expect(choicesOf(answer(text))).toEqual(choices);
});

test("an answer of any other kind offers nothing, whatever it says", () => {
  expect(choicesOf(answer("Did you mean: Orders or Returns?", "DENY_LIST"))).toEqual([]);
  expect(choicesOf({ id: "a", role: "bot", at: 0, text: "Did you mean: Orders?" })).toEqual([]);
});
