import { describe, expect, test } from "bun:test";

import { knowledgeFor, NO_KNOWLEDGE } from "../../../src/intent/word-knowledge.ts";

const ENGLISH = ["where is my order", "track my parcel", "I want my money back"];
const OTHERS = {
  Spanish: ["dónde está mi pedido", "quiero hablar con una persona", "borrar mi cuenta"],
  French: ["où est ma commande", "je voudrais parler à quelqu'un", "supprimez mon compte"],
  German: ["wo bleibt meine Bestellung", "ich möchte mit jemandem sprechen", "löschen Sie mein Konto"],
  Japanese: ["注文はどこですか", "アカウントを削除したい"],
};

describe("what is known of words beforehand", () => {
  test("is what English words mean, where examples are few", () => {
    const { meanings, isWeighed } = knowledgeFor(ENGLISH);
    expect(meanings).toBeDefined();
    expect(isWeighed).toBe(true);
  });

  test("weighs nothing where there are examples enough to learn it from", () => {
    const many = Array.from({ length: 2000 }, (_, i) => `${ENGLISH[i % ENGLISH.length]} ${i}`);
    const { meanings, isWeighed } = knowledgeFor(many);
    expect(meanings).toBeDefined();
    expect(isWeighed).toBe(false);
  });

  test.each(Object.entries(OTHERS))("is nothing in %s", (_, texts) => {
    expect(knowledgeFor(texts)).toEqual(NO_KNOWLEDGE);
  });

  test("survives some words of another language, and names", () => {
    expect(knowledgeFor([...ENGLISH, "where is the Quiddestraße"]).meanings).toBeDefined();
  });

  test("is nothing without a word", () => {
    expect(knowledgeFor([])).toEqual(NO_KNOWLEDGE);
    expect(knowledgeFor(["?!", "123"])).toEqual(NO_KNOWLEDGE);
  });
});
