import { describe, expect, test } from "bun:test";

import { foldPlanFor, splitIntoFolds } from "../../../../src/intent/evaluation/cross-validate.ts";

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

const THIRDS = { parts: 3, rounds: 3 };

describe("cross-validation", () => {
  const folds = splitIntoFolds(BOT, THIRDS);

  test("asks about every example once", () => {
    expect(folds.flatMap(({ heldOut }) => heldOut.map(({ text }) => text)).toSorted()).toEqual(
      BOT.flatMap(({ examples }) => examples).toSorted(),
    );
  });

  test("asks no model about what it knows", () => {
    for (const { known, heldOut } of folds) {
      const learnt = new Set(known.flatMap(({ examples }) => examples ?? []));
      expect(heldOut.length).toBeGreaterThan(0);
      expect(heldOut.filter(({ text }) => learnt.has(text))).toEqual([]);
    }
  });

  test("is the same for the same seed", () => {
    expect(splitIntoFolds(BOT, THIRDS)).toEqual(folds);
    expect(splitIntoFolds(BOT, THIRDS, 2)).not.toEqual(folds);
  });

  test("of a very large bot trains one model, and asks about a fifth", () => {
    const examples = Array.from({ length: 2500 }, (_, i) => `example ${i}`);
    const large = [
      { name: "a", examples },
      { name: "b", examples: examples.map((text) => `${text} of b`) },
    ];
    const [fold, ...more] = splitIntoFolds(large, foldPlanFor(5000));
    expect(more).toEqual([]);
    expect(fold?.heldOut).toHaveLength(1000);
  });

  test("never holds out an intent's only example", () => {
    expect(splitIntoFolds([{ name: "a", examples: ["one"] }, { name: "b" }])).toEqual([]);
  });
});
