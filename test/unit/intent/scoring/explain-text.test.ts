import { describe, expect, test } from "bun:test";

import { sampleBots } from "../../../../src/cli/samples.ts";
import { explainText, type LabelledExample } from "../../../../src/intent/classifier.ts";
import { unpackModel } from "../../../../src/intent/model/pack-model.ts";
import { explainScores } from "../../../../src/intent/scoring/explain-scores.ts";
import { ModelClassifier } from "../../../../src/intent/scoring/model-classifier.ts";
import type { IntentExamples } from "../../../../src/intent/training/examples.ts";
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
const HOTEL = [
  { name: "zimmer.frei", examples: ["ist noch ein Zimmer frei", "habt ihr Zimmer", "Zimmer für zwei"] },
  { name: "essen", examples: ["wann gibt es Frühstück", "was gibt es zu essen", "Abendessen im Haus"] },
];

function labelled(intents: readonly IntentExamples[]): LabelledExample[] {
  return intents.flatMap(({ name, examples = [] }) => examples.map((text) => ({ intent: name, text })));
}

function trained(intents: readonly IntentExamples[]) {
  const { model } = trainIntentModel(intents);
  const explain = (text: string, intent?: string, rival?: string) =>
    explainText(model, text, {
      ...(intent !== undefined && { intent }),
      ...(rival !== undefined && { rival }),
      examples: labelled(intents),
    });
  return { model, explain };
}

const shop = trained(SHOP);

describe("the parts of a score", () => {
  const acme = sampleBots().find(({ id }) => id === "acme-support")!;
  const large = trained((acme.intents ?? []).map(({ name, examples }) => ({ name, examples })));

  test.each([
    ["shop", shop.model, "could you please track where my order is, my order"],
    ["shop", shop.model, "cancle the oder"],
    ["acme", large.model, "Where's my parcel?! I have been waiting for a whole week"],
    ["acme", large.model, "how do I get an invoice with the right address"],
  ])("of %s come to the lead of the best intent over the next: %#", (_name, bytes, text) => {
    const model = unpackModel(bytes);
    const { best, probabilities, signals } = new ModelClassifier(model).weighEvidence(text)!;
    const ranked = [...probabilities.keys()].toSorted((a, b) => probabilities[b]! - probabilities[a]!);
    const { pulls, headStart } = explainScores(model, text, best, ranked[1]);
    const sum = pulls.reduce((total, { pull }) => total + pull, headStart);
    expect(pulls.length).toBeGreaterThan(2);
    expect(sum).toBeCloseTo(signals.margin, 5);
    const alone = explainScores(model, text, best);
    expect(alone.pulls.reduce((total, { pull }) => total + pull, alone.headStart)).toBeCloseTo(
      signals.bestScore,
      5,
    );
  });

  test("name the words that speak for an intent and those that speak for its rival, strongest first", () => {
    const { pulls } = shop.explain("cancel my parcel", "orders.cancel", "orders.status");
    expect(pulls[0]).toMatchObject({ words: "cancel" });
    expect(pulls[0]!.pull).toBeGreaterThan(0);
    expect(pulls.find(({ words }) => words === "my parcel")!.pull).toBeLessThan(0);
    const sizes = pulls.map(({ pull }) => Math.abs(pull));
    expect(sizes).toEqual(sizes.toSorted((a, b) => b - a));
  });

  test("are the other way round for the rival", () => {
    const text = "cancel my parcel";
    const one = shop.explain(text, "orders.cancel", "orders.status").pulls;
    const other = new Map(
      shop.explain(text, "orders.status", "orders.cancel").pulls.map(({ words, pull }) => [words, pull]),
    );
    for (const { words, pull } of one) expect(other.get(words)).toBeCloseTo(-pull, 6);
  });

  test("are none where no intent is asked about", () => {
    expect(shop.explain("cancel my order")).toMatchObject({ pulls: [], headStart: 0 });
  });
});

describe("the words of a text", () => {
  test("that were misspelt are told with what they were taken for", () => {
    expect(shop.explain("cancle my order").repaired).toEqual([{ typed: "cancle", takenAs: "cancel" }]);
    expect(shop.explain("cancel my order").repaired).toEqual([]);
  });

  test("that no example holds are told, function words and signs aside", () => {
    expect(shop.explain("where is the umbrella of my uncle?").unknown).toEqual(["umbrella", "uncle"]);
  });

  test("keep their capitals and accents", () => {
    const { unknown, pulls } = trained(HOTEL).explain(
      "Gibt es Frühstück im Häuschen",
      "essen",
      "zimmer.frei",
    );
    expect(unknown).toEqual(["Häuschen"]);
    expect(pulls.map(({ words }) => words)).toContain("Frühstück");
  });
});

describe("the nearest example", () => {
  test("of an example is that example, and wholly alike, whatever its case and marks", () => {
    for (const text of ["Where is my order???", "WHERE is... my odrer"]) {
      const { nearest } = shop.explain(text);
      expect(nearest).toMatchObject({ intent: "orders.status", text: "where is my order" });
      expect(nearest!.likeness).toBeCloseTo(1, 6);
    }
  });

  test("is less alike the more the text says besides", () => {
    const likenessOf = (text: string) => shop.explain(text).nearest!.likeness;
    expect(likenessOf("cancel my order")).toBeGreaterThan(likenessOf("cancel my order of shoes"));
    expect(likenessOf("cancel my order of shoes")).toBeGreaterThan(
      likenessOf("cancel the tulips and the dentist that my uncle booked"),
    );
  });

  test("is none where nothing is in common", () => {
    expect(shop.explain("天気").nearest).toBeUndefined();
    expect(trained([]).explain("hello").nearest).toBeUndefined();
  });
});
