import { describe, expect, test } from "bun:test";

import { openSentenceModel } from "../../../../src/intent/classifier.ts";
import { collectTexts } from "../../../../src/intent/training/examples.ts";
import { fitSentences, textsToEncode } from "../../../../src/intent/training/fit-sentences.ts";
import { trainIntentModel } from "../../../../src/intent/training/train.ts";
import { trainHere } from "../../../support/encode-here.ts";

const ORDERS = { name: "orders", examples: ["where is my order", "track my parcel", "when will it arrive"] };
const ACCOUNT = { name: "account", examples: ["delete my account", "erase my data", "remove my profile"] };

const sentencesOf = (intents: Parameters<typeof trainHere>[0]) => trainHere(intents).sentences;

describe("the sentence model of a bot", () => {
  test("holds each example, name, label and description", () => {
    const described = { ...ORDERS, label: "Your order", description: "The state of an order." };
    const { intents, intentCount } = openSentenceModel(sentencesOf([described, ACCOUNT])!);
    expect([...intents]).toEqual([0, 0, 0, 0, 0, 0, 1, 1, 1, 1]);
    expect(intentCount).toBe(2);
  });

  test("is made in any language", () => {
    const polish = [
      { name: "zamowienia", examples: ["gdzie jest moje zamówienie", "śledź moją paczkę"] },
      { name: "konto", examples: ["usuń moje konto", "skasuj wszystkie dane"] },
    ];
    expect([...openSentenceModel(sentencesOf(polish)!).intents]).toEqual([0, 0, 0, 1, 1, 1]);
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
    );
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
  ])("is not made for a bot %s", (_, intents) => {
    expect(sentencesOf(intents)).toBeUndefined();
  });

  test("is not made where there are more intents than examples are encoded", () => {
    const intents = Array.from({ length: 1001 }, (_, i) => ({ name: `parcel.${i}` }));
    expect(textsToEncode(intents)).toEqual([]);
    expect(fitSentences(collectTexts(intents), () => Float32Array.of(1))).toBeUndefined();
  });
});
