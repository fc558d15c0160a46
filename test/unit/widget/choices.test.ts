import { describe, expect, test } from "bun:test";

import {
  choicesOf,
  isQuestion,
  nextOf,
  sourcesOf,
  textAbove,
} from "../../../src/widget/conversation/choices.ts";
import type { ParleyMessage } from "../../../src/widget/public.d.ts";

const answer = (text: string, labels: readonly string[], enforcementReason?: string): ParleyMessage => ({
  id: "a",
  role: "bot",
  at: 0,
  text,
  metadata: {
    capabilityAllowed: enforcementReason === undefined,
    schemaEnforced: false,
    schemaFallbackUsed: false,
    ...(enforcementReason !== undefined && { enforcementReason }),
    ...(labels.length > 0 && {
      suggestions: labels.map((label) => ({ intent: label.toLowerCase(), label })),
    }),
  },
});

describe("choices", () => {
  test("are the labels of what is offered, commas and all", () => {
    const labels = ["Bleaching, Veneers or Implants", "Prices"];
    expect(choicesOf(answer("…", labels, "no_intent_match")).map(({ label }) => label)).toEqual(labels);
  });

  test("are never read out of a text", () => {
    expect(choicesOf(answer("Did you mean: Orders or Returns?", [], "no_intent_match"))).toEqual([]);
    expect(choicesOf({ id: "a", role: "bot", at: 0, text: "Did you mean: Orders?" })).toEqual([]);
  });

  test("may all be wrong under a question, and under nothing else", () => {
    expect(isQuestion(answer("Did you mean: Orders?", ["Orders"], "no_intent_match"))).toBe(true);
    expect(isQuestion(answer("I can help with this:", ["Orders"]))).toBe(false);
    expect(isQuestion(answer("I have nothing on that.", [], "no_intent_match"))).toBe(false);
  });

  test("are what the text lists that may be asked next; what it does not list is next", () => {
    const next = [
      { label: "orders", input: "where is my order" },
      { label: "returns", input: "send it back" },
    ];
    const withNext = (text: string) => {
      const plain = answer(text, [], "no_intent_match");
      return { ...plain, metadata: { ...plain.metadata!, next } };
    };
    const listed = withNext("Nothing on that. I can help with this:\n- orders\n- returns");
    expect([choicesOf(listed), nextOf(listed)]).toEqual([next, []]);
    expect(textAbove(listed, next)).toBe("Nothing on that. I can help with this:");
    const plain = withNext("It is on its way, as orders are.");
    expect([choicesOf(plain), nextOf(plain)]).toEqual([[], next]);
  });
});

test("sources are what the answer came with, whatever its text says", () => {
  const plain = answer("Tents are in the cellar.", []);
  const sources = [{ title: "Tents", url: "https://acme.example/tents" }, { title: "Boots" }];
  expect(sourcesOf({ ...plain, metadata: { ...plain.metadata!, sources } })).toEqual(sources);
  expect(sourcesOf(plain)).toEqual([]);
  expect(sourcesOf({ id: "q", role: "visitor", at: 0, text: "Tents?" })).toEqual([]);
});

test.each([
  ["Did you mean: Orders or Returns?", ["Orders", "Returns"], "Did you mean:"],
  ["I can help you with this:\n- Orders\n- Returns", ["Orders", "Returns"], "I can help you with this:"],
  ["次のどれでしょうか：注文、返品？", ["注文", "返品"], "次のどれでしょうか："],
  ["What exactly do you need?", ["Orders"], "What exactly do you need?"],
  ["It is on its way.", [], "It is on its way."],
])("above its choices, %p says what stands before them", (text, labels, above) => {
  const offered = answer(text, labels);
  expect(textAbove(offered, choicesOf(offered))).toBe(above);
});
