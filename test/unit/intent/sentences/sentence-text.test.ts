import { describe, expect, test } from "bun:test";

import { asSentence, nameAsSentence } from "../../../../src/intent/sentences/sentence-text.ts";

describe("the sentence of a text", () => {
  test("is in lower case, without a stop at its end, and keeps its question mark", () => {
    expect(asSentence("Where is MY order?", "en")).toBe("where is my order?");
    expect(asSentence("Cancel it.", "en")).toBe("cancel it");
  });

  test("is in English whatever the language", () => {
    expect(asSentence("Wo ist mein Paket?", "de")).toContain("parcel");
    expect(asSentence("dónde está mi pedido", "es")).toContain("order");
  });

  test("ends where a long text has said what it is about", () => {
    expect(asSentence("where is my order ".repeat(500), "en").length).toBeLessThanOrEqual(600);
  });
});

describe("the sentence of an intent's name", () => {
  test("is the name itself where it is English, though another language has its words too", () => {
    expect(nameAsSentence("gift card", "de")).toBe("gift card");
    expect(asSentence("gift", "de")).not.toBe("gift");
  });

  test("is in English where it is not", () => {
    expect(nameAsSentence("termin absagen", "de")).toContain("appointment");
  });
});
