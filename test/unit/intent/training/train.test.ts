import { expect, test } from "bun:test";

import { packModel, unpackModel } from "../../../../src/intent/model/pack-model.ts";
import { ModelClassifier } from "../../../../src/intent/scoring/model-classifier.ts";
import { collectTexts, type IntentExamples } from "../../../../src/intent/training/examples.ts";
import { trainIntentModel } from "../../../../src/intent/training/train.ts";
import { fitModel } from "../../../support/fit-model.ts";

const ENGLISH: IntentExamples[] = [
  { name: "orders", examples: ["where is my order", "track my parcel", "has it been shipped"] },
  { name: "account", examples: ["delete my account", "erase my data", "close my profile"] },
];

test("a model is the same once stored and opened", () => {
  const model = fitModel(collectTexts(ENGLISH));
  const [trained, opened] = [model, unpackModel(packModel(model))].map((same) => new ModelClassifier(same));
  for (const text of ["where is the package", "erase the invoice", "ordre"]) {
    expect(opened!.weighEvidence(text)).toEqual(trained!.weighEvidence(text));
    expect(opened!.classify(text)).toEqual(trained!.classify(text));
  }
});

test("the same intents train to the same bytes", () => {
  expect(trainIntentModel(ENGLISH).model).toEqual(trainIntentModel(ENGLISH).model);
});

test("a label that says no more than the name counts once", () => {
  const [orders, account] = ENGLISH;
  const named = [{ ...orders!, label: "Orders" }, account!];
  expect(collectTexts(named)).toEqual(collectTexts(ENGLISH));
});
