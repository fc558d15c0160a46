import { describe, expect, test } from "bun:test";

import { openSentenceModel } from "../../../../src/intent/classifier.ts";
import { scoreByRidge } from "../../../../src/intent/encoder/ridge.ts";
import { fitSentences, textsToEncode } from "../../../../src/intent/training/fit-sentences.ts";
import { trainIntentModel } from "../../../../src/intent/training/train.ts";
import { trainHere, vectorOf } from "../../../support/encode-here.ts";

const ORDERS = { name: "orders", examples: ["where is my order", "track my parcel", "when will it arrive"] };
const ACCOUNT = { name: "account", examples: ["delete my account", "erase my data", "remove my profile"] };

const sentencesOf = (intents: Parameters<typeof trainHere>[0]) => trainHere(intents).sentences;

describe("the sentence model of a bot", () => {
  test("holds each example, label, description and answer, and a name where there is no label", () => {
    const answer = "Your parcel is on its way. ".repeat(20);
    const described = { ...ORDERS, label: "Your order", description: "The state of an order.", answer };
    const { intents, intentCount } = openSentenceModel(sentencesOf([described, ACCOUNT])!)!;
    expect([...intents]).toEqual([0, 0, 0, 0, 0, 0, 1, 1, 1, 1]);
    expect(intentCount).toBe(2);
    const texts = textsToEncode([described, ACCOUNT]);
    expect(texts).toContain("account");
    expect(texts).not.toContain("orders");
    expect(texts).toContain(answer.slice(0, 200));
  });

  test("listens to an example more than to an answer of the same words", () => {
    const text = "the blue suitcase";
    const [left, right] = [
      { name: "left", examples: [text] },
      { name: "right", answer: text },
    ];
    const model = openSentenceModel(sentencesOf([left, right])!)!;
    const { sums } = scoreByRidge(model, vectorOf(text)!);
    expect(sums[0]).toBeGreaterThan(sums[1]!);
  });

  test("alone reads an answer: the classifier is the same without", () => {
    const answered = [{ ...ORDERS, answer: "Parcels leave us every morning." }, ACCOUNT];
    expect(trainHere(answered).model).toEqual(trainHere([ORDERS, ACCOUNT]).model);
  });

  test("is made in any language", () => {
    const polish = [
      { name: "zamowienia", examples: ["gdzie jest moje zamówienie", "śledź moją paczkę"] },
      { name: "konto", examples: ["usuń moje konto", "skasuj wszystkie dane"] },
    ];
    expect([...openSentenceModel(sentencesOf(polish)!)!.intents]).toEqual([0, 0, 0, 1, 1, 1]);
  });

  test("is not made where nobody says what texts mean", () => {
    expect(trainIntentModel([ORDERS, ACCOUNT]).sentences).toBeUndefined();
  });

  test("is the same for the same examples", () => {
    expect(sentencesOf([ORDERS, ACCOUNT])).toEqual(sentencesOf([ORDERS, ACCOUNT]));
  });

  test("leaves out what is blank", () => {
    const { intents } = openSentenceModel(
      sentencesOf([{ ...ORDERS, examples: [" ", "where is it"] }, ACCOUNT])!,
    )!;
    expect([...intents]).toEqual([0, 0, 1, 1, 1, 1]);
  });

  test.each([
    ["of one intent", [ORDERS]],
    ["without intents", []],
    [
      "of thousands of examples",
      [ORDERS, ACCOUNT].map((intent) => ({
        ...intent,
        examples: Array.from({ length: 1000 }, (_, i) => `${intent.examples[0]} number ${i}`),
      })),
    ],
  ])("is empty for a bot %s", (_, intents) => {
    expect(sentencesOf(intents)).toEqual(new Uint8Array());
  });

  test("is empty where there are more intents than examples are encoded", () => {
    const intents = Array.from({ length: 1001 }, (_, i) => ({ name: `parcel.${i}` }));
    expect(textsToEncode(intents)).toEqual([]);
    expect(fitSentences(intents, () => Float32Array.of(1))).toEqual(new Uint8Array());
  });
});
