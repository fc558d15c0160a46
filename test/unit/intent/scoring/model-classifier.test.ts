import { describe, expect, test } from "bun:test";

import { openIntentModel } from "../../../../src/intent/classifier.ts";
import { trainIntentModel } from "../../../../src/intent/training/train.ts";

const SHOP = [
  {
    name: "orders.status",
    examples: ["where is my order", "track my parcel", "has my package been shipped"],
  },
  {
    name: "orders.cancel",
    examples: ["cancel my order", "i do not want the parcel any more", "stop the shipment"],
  },
  { name: "shop.hours", examples: ["when do you open", "opening hours please", "are you open on sunday"] },
];

function classifierFor(intents: Parameters<typeof trainIntentModel>[0]) {
  return openIntentModel(trainIntentModel(intents).model);
}

describe("a trained classifier", () => {
  const classifier = classifierFor(SHOP);

  test("names the intent whose examples resemble the text", () => {
    expect(classifier.classify("could you track my order").scores[0]?.intent as string).toBe("orders.status");
    expect(classifier.classify("please cancel it").scores[0]?.intent as string).toBe("orders.cancel");
  });

  test("reads a misspelt word as the known word it resembles", () => {
    expect(classifier.classify("cancle").scores[0]?.intent as string).toBe("orders.cancel");
  });

  test("is as sure of a message with emoji of either look", () => {
    for (const emoji of ["❤", "❤️", "1️⃣"]) {
      const { confidence } = classifier.classify(`cancel my order ${emoji}`);
      expect(confidence).toBeCloseTo(classifier.classify(`cancel my order ${emoji[0]}`).confidence, 6);
    }
  });

  test("lists scores best first, and the same figures by intent", () => {
    const { scores, confidences, inScope, confidence } = classifier.classify("is my parcel shipped");
    expect(scores.map((score) => score.confidence)).toEqual(
      [...confidences].toSorted((a, b) => b - a).slice(0, scores.length),
    );
    expect(scores[0]?.confidence).toBeCloseTo(confidence, 6);
    expect(confidence).toBeLessThanOrEqual(inScope);
    expect(confidences.reduce((sum, share) => sum + share, 0)).toBeLessThanOrEqual(inScope + 1e-6);
  });

  test("gives the same bytes for the same examples and seed", () => {
    expect(trainIntentModel(SHOP, { seed: 7 }).model).toEqual(trainIntentModel(SHOP, { seed: 7 }).model);
  });

  test.each(["", "   ", "\n\t", "\u{200b}"])("has no opinion on the blank text %j", (text) => {
    expect(classifier.classify(text)).toMatchObject({ scores: [], inScope: 0, confidence: 0 });
  });

  test.each(["😀👨‍👩‍👧", "你好", "مرحبا بالعالم", "\ud800", "x".repeat(16_000), "где мой заказ ".repeat(1000)])(
    "stays within 0 and 1 on any writing",
    (text) => {
      const { inScope, confidence, confidences } = classifier.classify(text);
      for (const chance of [inScope, confidence, ...confidences])
        expect(chance >= 0 && chance <= 1).toBe(true);
    },
  );
});

describe("a bot with hardly any examples", () => {
  test("of no intents matches nothing", () => {
    expect(classifierFor([]).classify("hello")).toMatchObject({ scores: [], inScope: 0 });
  });

  test("of an intent without examples knows it by its name", () => {
    const scores = classifierFor([{ name: "orders.status" }, { name: "smalltalk.greet" }]).classify(
      "orders",
    ).scores;
    expect(scores[0]?.intent as string).toBe("orders.status");
  });

  test("of one intent does not claim what shares nothing with it", () => {
    const classifier = classifierFor([{ name: "greet", examples: ["hello there"] }]);
    expect(classifier.classify("你好").inScope).toBe(0);
    expect(classifier.classify("hello there").inScope).toBeGreaterThan(0.5);
  });
});
