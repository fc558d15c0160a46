import { describe, expect, test } from "bun:test";

import { glossText } from "../../../../src/intent/gloss/gloss-text.ts";
import { growthOf } from "../../../support/growth.ts";

test.each([
  ["de", "Wie viel kostet eine Reparatur?", "how much cost a repair?"],
  ["de", "Ich habe den Termin abgesagt", "i have the appointment cancelled"],
  ["de", "Zahnarzttermin am Montag", "dentist on monday"],
  ["es", "no puedo ir a la clase de mañana", "not can go to the class of tomorrow"],
  ["fr", "jai perdu ma carte bleue", "i lose my card blue"],
  ["it", "vorrei spostare l'appuntamento", "want move l appointment"],
  ["nl", "mijn fiets is gestolen", "my bike is stolen"],
  ["pt", "a tela não funciona", "the screen not work"],
] as const)("in %s, %s is %s", (language, text, gloss) => {
  expect(glossText(text, language)).toBe(gloss);
});

describe("a gloss", () => {
  test("leaves English as it is", () => {
    expect(glossText("What's that, again?", "en")).toBe("What's that, again?");
  });

  test("keeps names, numbers and the question mark", () => {
    expect(glossText("¿Tenéis el iPhone 15?", "es")).toBe("have the iphone 15?");
  });

  test("is never empty where a text says something", () => {
    expect(glossText("hallo zusammen", "de")).toBe("hello together");
    expect(glossText("  ", "de")).toBe("");
  });

  test("hits words that are written without their accents", () => {
    expect(glossText("cuanto cuesta la reparacion", "es")).toBe(
      glossText("¿Cuánto cuesta la reparación", "es"),
    );
    expect(glossText("c est ou exactement", "fr")).toBe(glossText("C'est où exactement", "fr"));
  });

  test.each(["de", "fr", "nl"] as const)(
    "in %s takes time by the length of a hostile text",
    async (language) => {
      for (const piece of ["donaudampfschifffahrtsgesellschaftskapitän", "ich sage "]) {
        expect(await growthOf((length) => glossText(piece.repeat(length), language), 100)).toBeLessThan(10);
      }
    },
  );
});
