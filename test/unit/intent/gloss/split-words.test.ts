import { expect, test } from "bun:test";

import { splitWords } from "../../../../src/intent/gloss/split-words.ts";
import type { Language } from "../../../../src/text/languages.ts";

test.each([
  ["fr", "Qu’est-ce que c'est ?", "qu est ce que c est"],
  ["it", "dov'è l'ufficio", "dov e l ufficio"],
  ["de", "Geht's über 19:30 Uhr?", "gehts uber 19:30 uhr"],
  ["pt", "dá-me o nº 5", "da me o no 5"],
] as const)("in %s, %s is %s", (language: Language, text, expected) => {
  const words = splitWords(text, language);
  expect(words.map((word) => word.text).join(" ")).toBe(expected);
});

test("tells where clauses end and begin", () => {
  const words = splitWords("Hallo, ich komme und gehe", "de");
  expect(words.map((word) => word.endsClause)).toEqual([true, false, false, false, true]);
  expect(words.map((word) => word.joinsClauses)).toEqual([false, false, false, true, false]);
});

test("keeps the spelling beside the plain form", () => {
  expect(splitWords("Où", "fr")).toEqual([
    { text: "ou", spelling: "où", endsClause: true, joinsClauses: false },
  ]);
});
