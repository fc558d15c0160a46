import { expect, test } from "bun:test";

import { ModelClassifier } from "../../../../src/intent/scoring/model-classifier.ts";
import { collectTexts, type IntentExamples } from "../../../../src/intent/training/examples.ts";
import { fitModel } from "../../../../src/intent/training/fit-model.ts";
import { knowledgeFor } from "../../../../src/intent/training/prior-knowledge.ts";
import { generalRequestsIn } from "../../../../src/text/general-requests.ts";

const INTENTS: IntentExamples[] = [
  {
    name: "orders",
    examples: ["where is my order", "track my parcel", "has it been shipped", "when will it arrive"],
  },
  {
    name: "returns",
    examples: ["return these shoes", "I want my money back", "send it back", "refund my purchase"],
  },
];

function scoresWith(requests: readonly string[]): (text: string) => number {
  const texts = collectTexts(INTENTS);
  const classifier = new ModelClassifier(
    fitModel(texts, knowledgeFor(texts.texts), requests, 1, () => undefined),
  );
  return (text) => classifier.weighEvidence(text)!.signals.backgroundScore;
}

test("what is like the examples lies above what is like other requests", () => {
  const scoreOf = scoresWith(generalRequestsIn("en"));
  for (const own of ["has my parcel been sent", "I would like to return my order"]) {
    for (const other of [
      "where is the nearest zoo",
      "is it my turn to do the dishes",
      "what will the weather be",
    ]) {
      expect(scoreOf(own)).toBeGreaterThan(scoreOf(other));
    }
  }
});

test("requests that are the bot's own do not turn it away from them", () => {
  const scoreOf = scoresWith([...generalRequestsIn("en"), "where is my order", "track my parcel please"]);
  expect(scoreOf("where is my order")).toBeGreaterThan(scoreOf("where is the nearest zoo") + 0.5);
});

test("nothing is told apart without requests", () => {
  expect(scoresWith([])("where is my order")).toBe(0);
});
