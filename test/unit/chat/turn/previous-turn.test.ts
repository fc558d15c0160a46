import { expect, test } from "bun:test";

import { previousTurn } from "../../../../src/chat/turn/earlier-turns.ts";
import type { PastTurn } from "../../../../src/domain/conversation.ts";
import type { IntentName, RequestId } from "../../../../src/domain/ids.ts";

const [ORDERS, RETURNS] = ["orders", "returns"].map((name) => ({ intent: name as IntentName, label: name }));
const asked: PastTurn = {
  requestId: "rq_1" as RequestId,
  at: 1000,
  state: "complete",
  input: "that thing",
  response: "Did you mean: orders?",
  capabilityAllowed: false,
  suggestions: [ORDERS!],
};
const now = 3000;

test("a question about intents offers them, and can be answered", () => {
  expect(previousTurn([asked], now)).toEqual({
    previous: { offered: [ORDERS!], asks: true, wasAllowed: false, ageMs: 2000 },
  });
});

test.each(["Did you mean: orders?", "¿Algo más? ", "هل تقصد: الطلبات؟", "注文ですか？"])(
  "%s asks",
  (response) => {
    expect(previousTurn([{ ...asked, response }], now).previous?.asks).toBe(true);
  },
);

test.each(["It is on its way.", "Why not? Because."])("%s does not", (response) => {
  expect(previousTurn([{ ...asked, response }], now).previous?.asks).toBe(false);
});

test.each([
  ["a question that was never put", { state: "unanswered" as const, suggestions: [ORDERS!, RETURNS!] }],
  ["no question", { suggestions: [] }],
])("%s offers nothing", (_, change) => {
  expect(previousTurn([{ ...asked, ...change }], now).previous?.offered).toEqual([]);
});
