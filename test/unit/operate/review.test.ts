import { describe, expect, test } from "bun:test";

import { openIntentModel } from "../../../src/intent/classifier.ts";
import { splitIntoFolds } from "../../../src/intent/evaluation/cross-validate.ts";
import type { IntentExamples } from "../../../src/intent/training/examples.ts";
import { trainIntentModel } from "../../../src/intent/training/train.ts";
import type { Prediction } from "../../../src/operate/evaluate.ts";
import { findOverlaps, reviewIntents } from "../../../src/operate/review.ts";
import { predictIntents } from "../../support/predict-intents.ts";

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

function crossValidate(intents: readonly IntentExamples[]): Prediction[] {
  return splitIntoFolds(intents, THIRDS).flatMap(({ known, heldOut }) =>
    predictIntents(openIntentModel(trainIntentModel(known).model), heldOut),
  );
}

test("the two intents that say the same overlap most", () => {
  const [worst] = findOverlaps(crossValidate(BOT), 3);
  expect(worst?.intents).toEqual(["bill.pay", "bill.settle"]);
  expect(worst?.examplesToMove.length).toBeGreaterThan(0);
});

describe("the review of a bot's examples", () => {
  test("warns of intents with hardly any examples", () => {
    expect(reviewIntents(BOT, [], new Set())).toContainEqual(
      expect.objectContaining({ kind: "few_examples", intents: [{ intent: "greet", count: 2 }] }),
    );
  });

  test("names at most eight intents of few examples, in one warning", () => {
    const intents = Array.from({ length: 10 }, (_, i) => ({ name: `i${i}`, examples: ["one"] }));
    const [warning, ...others] = reviewIntents(intents, [], new Set()).filter(
      ({ kind }) => kind === "few_examples",
    );
    expect(warning?.message).toStartWith("few examples: i0 (1), i1 (1),");
    expect(warning?.message).toContain("i7 (1) and 2 more;");
    expect(others).toEqual([]);
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
    const lost = {
      text: "pay it",
      expected: "bill.pay",
      got: "greet",
      inScope: 0.9,
      confidence: 0.8,
      isAccepted: true,
    };
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

  test("names a few of many shadowed examples", () => {
    const lost = ["a", "b", "c", "d", "e"].map((text) => {
      return { text, expected: "bill.pay", got: "greet", inScope: 0.9, confidence: 0.8, isAccepted: true };
    });
    const [warning] = reviewIntents([], lost, new Set(["bill.pay"]));
    expect(warning?.message).toEndWith('shadows it: "a", "b", "c" and 2 more.');
  });

  test("is silent about examples that are fine", () => {
    const bot = BOT.slice(2, 3);
    expect(reviewIntents(bot, crossValidate(bot), new Set())).toEqual([]);
  });
});
