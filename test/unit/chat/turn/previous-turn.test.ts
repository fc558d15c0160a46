import { expect, test } from "bun:test";

import { previousTurn } from "../../../../src/chat/turn/previous-turn.ts";
import type { PastTurn } from "../../../../src/domain/conversation.ts";
import type { IntentName } from "../../../../src/domain/ids.ts";

const [ORDERS, RETURNS] = ["orders", "returns"] as IntentName[];
const asked: PastTurn = {
  at: 1000,
  state: "complete",
  input: "that thing",
  response: "Did you mean: orders?",
  capabilityAllowed: false,
  suggestions: [ORDERS!],
};
const now = 3000;

test("a question about one intent can be agreed to", () => {
  expect(previousTurn([asked], now)).toEqual({
    previous: { askedAbout: ORDERS!, wasAllowed: false, ageMs: 2000 },
  });
});

test.each([
  ["a choice", { suggestions: [ORDERS!, RETURNS!] }],
  ["a question that was never put", { state: "unanswered" }],
  ["no question", { suggestions: [] }],
] as const)("%s cannot", (_, change) => {
  expect(previousTurn([{ ...asked, ...change }], now).previous).not.toHaveProperty("askedAbout");
});
