import { describe, expect, test } from "bun:test";

import { knowledgeFor } from "../../../../src/intent/training/prior-knowledge.ts";
import { NO_KNOWLEDGE } from "../../../../src/intent/words/word-knowledge.ts";
import type { Language } from "../../../../src/text/languages.ts";

const ENGLISH = ["where is my order", "track my parcel", "I want my money back"];
const OTHERS: [Language, string[]][] = [
  ["es", ["dónde está mi pedido", "quiero hablar con una persona", "borrar mi cuenta"]],
  ["fr", ["où est ma commande", "je voudrais parler à quelqu'un", "supprimez mon compte"]],
  ["de", ["wo bleibt meine Bestellung", "ich möchte mit jemandem sprechen", "löschen Sie mein Konto"]],
  ["it", ["dov'è il mio ordine", "vorrei parlare con una persona", "cancellate il mio account"]],
  ["nl", ["waar blijft mijn bestelling", "ik wil iemand spreken", "verwijder mijn account"]],
  ["pt", ["onde está a minha encomenda", "quero falar com uma pessoa", "apagar a minha conta"]],
];
const UNKNOWN = {
  Japanese: ["注文はどこですか", "アカウントを削除したい"],
  Polish: ["gdzie jest moje zamówienie", "chcę porozmawiać z człowiekiem", "usuń moje konto"],
  Turkish: ["siparişim nerede", "bir insanla konuşmak istiyorum", "hesabımı sil"],
};

describe("what is known of words beforehand", () => {
  test("is what English words mean, where examples are few", () => {
    expect(knowledgeFor(ENGLISH)).toMatchObject({ language: "en", isWeighed: true });
  });

  test("weighs nothing where there are examples enough to learn it from", () => {
    const many = Array.from({ length: 2000 }, (_, i) => `${ENGLISH[i % ENGLISH.length]} ${i}`);
    expect(knowledgeFor(many)).toMatchObject({ language: "en", isWeighed: false });
  });

  test.each(OTHERS)("is what words of another language mean: %s", (language, texts) => {
    expect(knowledgeFor(texts)).toMatchObject({ language, isWeighed: true });
  });

  test.each(Object.entries(UNKNOWN))("is nothing in %s", (_, texts) => {
    expect(knowledgeFor(texts)).toEqual(NO_KNOWLEDGE);
  });

  test.each([
    ["de", ["Login funktioniert nicht", "App crash", "Account reset", "Password vergessen", "Download Link"]],
    ["nl", ["status van order", "online tickets", "water in huis", "contact met service", "open op zondag"]],
    ["en", ["login does not work", "app crash", "account reset", "password forgotten", "download link"]],
  ] as const)("goes by the words of %s between the English ones of a trade", (language, texts) => {
    expect(knowledgeFor(texts)).toMatchObject({ language });
  });

  test("survives some words of another language, and names", () => {
    expect(knowledgeFor([...ENGLISH, "where is the Quiddestraße"]).meanings).toBeDefined();
  });

  test("is nothing without a word", () => {
    expect(knowledgeFor([])).toEqual(NO_KNOWLEDGE);
    expect(knowledgeFor(["?!", "123"])).toEqual(NO_KNOWLEDGE);
  });
});
