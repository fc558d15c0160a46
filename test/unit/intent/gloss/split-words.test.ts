import { expect, test } from "bun:test";

import { splitWords } from "../../../../src/intent/gloss/split-words.ts";
import type { Language } from "../../../../src/text/languages.ts";

test.each([
  ["fr", "Qu’est-ce que c'est ?", "qu est ce que c est"],
  ["it", "dov'è l'ufficio", "dov e l ufficio"],
  ["de", "Geht's über 19:30 Uhr?", "gehts uber 19:30 uhr"],
  ["pt", "dá-me o nº 5", "da me o no 5"],
] as const)("in %s, %s is %s", (language: Language, text, expected) => {
  expect(splitWords(text, language).join(" ")).toBe(expected);
});
