import { describe, expect, test } from "bun:test";

import { knowledgeInMemory } from "../../../src/bots/bot-knowledge.ts";
import { SentenceVectors } from "../../../src/bots/sentence-vectors.ts";
import type { BotDocument } from "../../../src/domain/bot.ts";
import type { Passage } from "../../../src/knowledge/passage.ts";
import { evaluateKnowledge } from "../../../src/operate/evaluate-knowledge.ts";
import { searchKnowledge } from "../../../src/operate/search-knowledge.ts";
import { encoderHere } from "../../support/encode-here.ts";

function passage(title: string, body: string): Passage {
  const url = `https://acme.example/${title.toLowerCase().replaceAll(" ", "-")}`;
  return { documentId: title, title, headingPath: [], body, url };
}

const PASSAGES = [
  passage(
    "Returns",
    "You may send back what you do not like within thirty days. We refund the price, but not the postage.",
  ),
  passage(
    "Delivery",
    "Parcels take two working days within Austria. Express parcels arrive on the next morning.",
  ),
  passage("Warranty", "All appliances carry a guarantee of two years. It does not cover damage by water."),
  passage(
    "Opening hours",
    "Our shop in Vienna is open from nine to six, on Saturdays until noon. It is closed on Sundays.",
  ),
  passage("Payment", "We accept credit cards, invoices and cash on delivery."),
];
const vectors = new SentenceVectors(encoderHere);

function knowing(document: Partial<BotDocument> = {}) {
  const knowledge = knowledgeInMemory(new Map(PASSAGES.map((one, i) => [i + 1, one])));
  return { knowledge, document: document as BotDocument, vectors, encoder: encoderHere };
}

const search = (query: string, document?: Partial<BotDocument>) => searchKnowledge(knowing(document), query);

describe("a question to documents", () => {
  test.each([
    ["When do express parcels arrive in Austria?", "Delivery"],
    ["Does the guarantee cover damage by water?", "Warranty"],
    ["can I bring it back if it does not fit?", "Returns"],
    ["à quelle heure ouvre le magasin ?", "Opening hours"],
  ])("%j is answered from %s, in whatever words", async (query, title) => {
    const { isAnswered, results } = await search(query);
    expect([isAnswered, results[0]!.title]).toEqual([true, title]);
  });

  test.each([
    ["Gibt es eine Garantie?", "Warranty"],
    ["Kann ich mit Kreditkarte bezahlen?", "Payment"],
  ])("%j in another language finds %s first, by what it means", async (query, title) => {
    expect((await search(query)).results[0]!.title).toBe(title);
  });

  test.each([
    "Who won the football match yesterday?",
    "is it not the one?",
    "",
    "???",
    "how is the weather?",
  ])("%j is answered from none", async (query) => {
    expect((await search(query)).isAnswered).toBe(false);
  });

  test("is answered by words where nobody says what they mean", async () => {
    const mute = { ...knowing(), encoder: { encode: async () => undefined } };
    const { isAnswered, results } = await searchKnowledge(
      mute,
      "do express parcels arrive on the next morning",
    );
    expect([isAnswered, results[0]!.title]).toEqual([true, "Delivery"]);
  });

  test("is not answered below the bot's own threshold", async () => {
    const query = "can I bring it back if it does not fit?";
    const { confidence } = await search(query);
    const threshold = (confidence + 1) / 2;
    expect(await search(query, { classifier: { threshold } })).toMatchObject({
      confidence,
      isAnswered: false,
    });
  });

  test("finds the same each time", async () => {
    const query = "can I send shoes back after two weeks?";
    expect(await search(query)).toEqual(await search(query));
  });
});

test("an evaluation tells what is answered rightly, and what is not", async () => {
  const told: number[] = [];
  const questions = [
    { text: "When do express parcels arrive in Austria?", source: "https://acme.example/delivery" },
    { text: "Does the guarantee cover damage by water?", source: "https://acme.example/payment" },
    { text: "Who won the football match yesterday?", source: null },
  ];
  const found = await evaluateKnowledge(knowing(), questions, (share) => told.push(share));
  expect(found).toMatchObject({
    total: 3,
    answerable: 2,
    recallAt1: 0.5,
    answered: 1,
    answeredRight: 0.5,
    falselyAnswered: 0,
    misses: [{ text: questions[1]!.text, got: "https://acme.example/warranty", isAnswered: true }],
  });
  expect(told).toEqual([0, 1 / 3, 2 / 3]);
});
