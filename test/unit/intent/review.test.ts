import { describe, expect, test } from "bun:test";

import { crossValidate } from "../../../src/intent/cross-validate.ts";
import { findOverlaps, reviewIntents } from "../../../src/intent/review.ts";

const PAYING = [
  "i want to pay",
  "how can i pay",
  "pay the bill",
  "pay my invoice now",
  "let me pay",
  "pay please",
];
const BOT = [
  { name: "bill.pay", examples: PAYING },
  { name: "bill.settle", examples: PAYING.map((text) => `${text} today`) },
  {
    name: "weather",
    examples: ["is it raining", "will it rain", "sunny or cloudy", "weather forecast", "how warm is it"],
  },
  { name: "greet", examples: ["hello", "Bill, pay please!"] },
];

describe("cross-validation", () => {
  const judgements = crossValidate(BOT, { folds: 3 });

  test("judges every example once, by a model that has not seen it", () => {
    expect(judgements.map(({ text }) => text).toSorted()).toEqual(
      BOT.flatMap(({ examples }) => examples).toSorted(),
    );
  });

  test("is the same for the same seed", () => {
    expect(crossValidate(BOT, { folds: 3 })).toEqual(judgements);
  });

  test("finds the two intents that say the same", () => {
    const [worst] = findOverlaps(judgements, 3);
    expect(worst?.intents).toEqual(["bill.pay", "bill.settle"]);
    expect(worst?.examplesToMove.length).toBeGreaterThan(0);
  });

  test("never holds out an intent's only example", () => {
    expect(crossValidate([{ name: "a", examples: ["one"] }, { name: "b" }])).toEqual([]);
  });
});

describe("the review of a bot's examples", () => {
  test("warns of intents with hardly any examples", () => {
    expect(reviewIntents(BOT, [], new Set())).toContainEqual(
      expect.objectContaining({ kind: "few_examples", intent: "greet", count: 2 }),
    );
  });

  test("warns of an example that two intents share, however it is written", () => {
    const bot = [
      { name: "a", examples: ["Café?"] },
      { name: "b", examples: ["cafe?", "other"] },
    ];
    expect(reviewIntents(bot, [], new Set())).toContainEqual(
      expect.objectContaining({ kind: "shared_example", intents: ["a", "b"] }),
    );
  });

  test("warns of a denied intent whose examples go to an allowed one", () => {
    const lost = { text: "pay it", expected: "bill.pay", got: "greet", pIn: 0.9, pOk: 0.8, isAccepted: true };
    const warnings = reviewIntents([], [lost], new Set(["bill.pay"]));
    expect(warnings).toEqual([
      expect.objectContaining({
        kind: "shadowed_denial",
        denied: "bill.pay",
        by: "greet",
        examples: ["pay it"],
      }),
    ]);
    expect(reviewIntents([], [lost], new Set(["bill.pay", "greet"]))).toEqual([]);
  });

  test("is silent about examples that are fine", () => {
    const bot = BOT.slice(2, 3);
    expect(reviewIntents(bot, crossValidate(bot), new Set())).toEqual([]);
  });
});
