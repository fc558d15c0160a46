import { describe, expect, test } from "bun:test";

import type { IntentName } from "../../../../src/domain/ids.ts";
import { openIntentModel } from "../../../../src/intent/classifier.ts";
import { packModel, unpackModel } from "../../../../src/intent/model/pack-model.ts";
import { ModelClassifier } from "../../../../src/intent/scoring/model-classifier.ts";
import { collectTexts, type IntentExamples } from "../../../../src/intent/training/examples.ts";
import { trainIntentModel } from "../../../../src/intent/training/train.ts";
import { englishMeanings } from "../../../../src/intent/words/english-meanings.ts";
import { meaningsOf } from "../../../../src/intent/words/glossary.ts";
import { NO_KNOWLEDGE } from "../../../../src/intent/words/word-knowledge.ts";
import { fitModel } from "../../../support/fit-model.ts";

const ENGLISH: IntentExamples[] = [
  { name: "orders", examples: ["where is my order", "track my parcel", "has it been shipped"] },
  { name: "account", examples: ["delete my account", "erase my data", "close my profile"] },
];
const SPANISH: IntentExamples[] = [
  { name: "pedidos", examples: ["dónde está mi pedido", "rastrear mi paquete", "cuándo llega el envío"] },
  { name: "cuenta", examples: ["borrar mi cuenta", "elimina mis datos", "cerrar mi perfil"] },
];
const POLISH: IntentExamples[] = [
  {
    name: "zamowienia",
    examples: ["gdzie jest moje zamówienie", "śledź moją paczkę", "kiedy dotrze przesyłka"],
  },
  { name: "konto", examples: ["usuń moje konto", "skasuj moje dane", "zamknij mój profil"] },
];

/** The model that a bot gets where nothing is known of words. */
function trainedWithoutKnowledge(intents: readonly IntentExamples[]): Uint8Array {
  const model = fitModel(collectTexts(intents), NO_KNOWLEDGE);
  return packModel({ ...model, intents: intents.map(({ name }) => name as IntentName) });
}

describe("what is known of languages", () => {
  test("leaves the model of a bot in another language as it is, byte by byte", () => {
    expect(trainIntentModel(POLISH).model).toEqual(trainedWithoutKnowledge(POLISH));
  });

  test("leaves it as it is, though the intents' names and descriptions are English", () => {
    const described = POLISH.map((intent, i) => ({
      ...intent,
      name: ["track an order", "delete the account"][i]!,
      description: "what visitors say when they want to know about this subject, in many words of English",
    }));
    expect(trainIntentModel(described).model).toEqual(trainedWithoutKnowledge(described));
  });

  test.each([
    ["English", ENGLISH],
    ["Spanish", SPANISH],
  ])("is in that of a bot in %s", (_, intents) => {
    expect(trainIntentModel(intents).model).not.toEqual(trainedWithoutKnowledge(intents));
  });

  test.each([
    ["English", ENGLISH, "shipment", "orders"],
    ["English", ENGLISH, "erasing information", "account"],
    ["Spanish", SPANISH, "encargo", "pedidos"],
    ["Spanish", SPANISH, "información", "cuenta"],
  ])("tells the intent of words in %s that no example holds: %#", (_, intents, text, intent) => {
    const [knowing, ignorant] = [trainIntentModel(intents).model, trainedWithoutKnowledge(intents)].map(
      (model) => openIntentModel(model).classify(text),
    );
    expect(knowing!.scores[0]?.intent).toBe(intent as IntentName);
    expect(knowing!.scores[0]!.confidence).toBeGreaterThan(2 * (ignorant!.scores[0]?.confidence ?? 0));
  });

  test("says nothing about messages to a bot in another language, English ones included", () => {
    const classifier = new ModelClassifier(unpackModel(trainIntentModel(POLISH).model));
    for (const text of ["moje konto", "where is moje account", "paczkę of the customer"]) {
      expect(classifier.weighEvidence(text)?.signals).toMatchObject({
        similarityToKnown: 0,
        similarityToBest: 0,
        leastSimilarity: 0,
      });
    }
  });
});

test.each([
  ["nothing", NO_KNOWLEDGE],
  ["Spanish", { language: "es", meanings: meaningsOf("es"), isWeighed: true }],
  ["what words mean", { language: "en", meanings: englishMeanings(), isWeighed: false }],
  ["what words mean, and weighs it", { language: "en", meanings: englishMeanings(), isWeighed: true }],
] as const)("a model that knows %s is the same once stored and opened", (_, knowledge) => {
  const model = fitModel(collectTexts(ENGLISH), knowledge);
  const [trained, opened] = [model, unpackModel(packModel(model))].map((same) => new ModelClassifier(same));
  for (const text of ["where is the package", "erase the invoice", "ordre"]) {
    expect(opened!.weighEvidence(text)).toEqual(trained!.weighEvidence(text));
    expect(opened!.classify(text)).toEqual(trained!.classify(text));
  }
});
