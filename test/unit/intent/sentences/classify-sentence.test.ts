import { describe, expect, test } from "bun:test";

import {
  classifySentence,
  isUnsure,
  openIntentModel,
  openSentenceModel,
} from "../../../../src/intent/classifier.ts";
import {
  weighSentence,
  sentenceSignals,
  SENTENCE_SIGNALS,
} from "../../../../src/intent/sentences/classify-sentence.ts";
import { trainHere, vectorOf } from "../../../support/encode-here.ts";

const SHOP = [
  {
    name: "orders.status",
    examples: ["where is my order", "track my parcel", "when will my package arrive"],
  },
  { name: "account.delete", examples: ["delete my account", "erase all of my data", "remove my profile"] },
  { name: "shop.hours", examples: ["when do you open", "opening hours please", "are you open on sunday"] },
  { name: "pay.methods", examples: ["can i pay by card", "do you take cash", "payment options"] },
];
const trained = trainHere(SHOP);
const classifier = openIntentModel(trained.model);
const sentences = openSentenceModel(trained.sentences!)!;

function understand(text: string) {
  return classifySentence(classifier, classifier.judge(text), vectorOf(text)!, sentences);
}

describe("an encoded message", () => {
  test.each([
    ["has everything been shipped", "orders.status"],
    ["i no longer want to be registered", "account.delete"],
  ])("gets its intent by what it means where its words lead elsewhere: %s", (text, intent) => {
    expect(classifier.classify(text).scores[0]?.intent as string).not.toBe(intent);
    expect(understand(text).scores[0]?.intent as string).toBe(intent);
  });

  test("lists scores best first, within the chance of being in scope", () => {
    const { scores, confidences, inScope, confidence } = understand("what time does the store shut");
    expect(scores.map((score) => score.confidence)).toEqual(
      [...confidences].toSorted((a, b) => b - a).slice(0, scores.length),
    );
    expect(scores[0]?.confidence).toBeCloseTo(confidence, 6);
    expect(confidences.reduce((sum, value) => sum + value, 0)).toBeLessThanOrEqual(inScope + 1e-5);
  });

  test("of no known word is classified all the same", () => {
    const { confidences, inScope } = understand("日本語");
    expect(confidences).toHaveLength(SHOP.length);
    expect(inScope).toBeGreaterThanOrEqual(0);
    expect(inScope).toBeLessThan(0.5);
  });

  test("is classified alike each time", () => {
    expect(understand("is visa accepted")).toEqual(understand("is visa accepted"));
  });
});

test("each signal of an encoded message is a number", () => {
  for (const text of ["is visa accepted", "日本語", "where is my order"]) {
    const signals = sentenceSignals(weighSentence(classifier.judge(text), vectorOf(text)!, sentences));
    for (const signal of SENTENCE_SIGNALS)
      expect([signal, Number.isFinite(signals[signal])]).toEqual([signal, true]);
  }
});

test("a message is unsure below a confidence of 0.9", () => {
  expect([0, 0.5, 0.89, 0.9, 1].map((confidence) => isUnsure({ confidence }))).toEqual([
    true,
    true,
    true,
    false,
    false,
  ]);
});
