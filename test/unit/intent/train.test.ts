import { describe, expect, test } from "bun:test";

import type { IntentName } from "../../../src/domain/ids.ts";
import { ModelClassifier } from "../../../src/intent/classify.ts";
import { collectTexts, type IntentExamples } from "../../../src/intent/examples.ts";
import { fitModel } from "../../../src/intent/fit.ts";
import { openIntentModel, packModel } from "../../../src/intent/intent-model.ts";
import { trainIntentModel } from "../../../src/intent/train.ts";
import { NO_KNOWLEDGE } from "../../../src/intent/word-knowledge.ts";
import { wordMeanings } from "../../../src/intent/word-meanings.ts";

const ENGLISH: IntentExamples[] = [
  { name: "orders", examples: ["where is my order", "track my parcel", "has it been shipped"] },
  { name: "account", examples: ["delete my account", "erase my data", "close my profile"] },
];
const SPANISH: IntentExamples[] = [
  { name: "pedidos", examples: ["dónde está mi pedido", "rastrear mi paquete", "cuándo llega el envío"] },
  { name: "cuenta", examples: ["borrar mi cuenta", "elimina mis datos", "cerrar mi perfil"] },
];

/** The model that a bot gets where nothing is known of words. */
function trainedWithoutKnowledge(intents: readonly IntentExamples[]): Uint8Array {
  const model = fitModel(collectTexts(intents), NO_KNOWLEDGE, 1, () => undefined);
  return packModel({ ...model, intents: intents.map(({ name }) => name as IntentName) });
}

describe("what English words mean", () => {
  test("leaves the model of a bot in another language as it is, byte by byte", () => {
    expect(trainIntentModel(SPANISH).model).toEqual(trainedWithoutKnowledge(SPANISH));
  });

  test("leaves it as it is, though the intents' names and descriptions are English", () => {
    const described = SPANISH.map((intent, i) => ({
      ...intent,
      name: ["track an order", "delete the account"][i]!,
      description: "what visitors say when they want to know about this subject, in many words of English",
    }));
    expect(trainIntentModel(described).model).toEqual(trainedWithoutKnowledge(described));
  });

  test("is in that of an English bot", () => {
    expect(trainIntentModel(ENGLISH).model).not.toEqual(trainedWithoutKnowledge(ENGLISH));
  });

  test("says nothing about messages to a bot in another language, English ones included", () => {
    const classifier = openIntentModel(trainIntentModel(SPANISH).model);
    for (const text of ["mi paquete", "where is my account", "el pedido of the customer"]) {
      expect(classifier.weighEvidence(text)?.signals.slice(-3)).toEqual(new Float64Array(3));
    }
  });
});

test.each([
  ["nothing", NO_KNOWLEDGE],
  ["what words mean", { meanings: wordMeanings(), isWeighed: false }],
  ["what words mean, and weighs it", { meanings: wordMeanings(), isWeighed: true }],
] as const)("a model that knows %s is the same once stored and opened", (_, knowledge) => {
  const model = fitModel(collectTexts(ENGLISH), knowledge, 1, () => undefined);
  const [trained, opened] = [new ModelClassifier(model), openIntentModel(packModel(model))];
  for (const text of ["where is the package", "erase the invoice", "ordre"]) {
    expect(opened.weighEvidence(text)).toEqual(trained.weighEvidence(text));
    expect(opened.classify(text)).toEqual(trained.classify(text));
  }
});
