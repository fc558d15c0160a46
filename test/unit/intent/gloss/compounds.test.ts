import { expect, test } from "bun:test";

import { glossCompound } from "../../../../src/intent/gloss/compounds.ts";
import { WordTable } from "../../../../src/intent/gloss/word-table.ts";

const table = new WordTable();
for (const [word, gloss] of [
  ["zahn*", "tooth"],
  ["arzt", "doctor"],
  ["termin*", "appointment"],
  ["werkstatt*", "garage"],
  ["liefer*", "deliver"],
  ["winter*", "winter"],
  ["reparatur*", "repair"],
  ["zug", "train"],
  ["preis*", "price"],
] as const) {
  table.add(word, gloss);
}
const gloss = (word: string) => glossCompound(word, table, table.find(word));

test.each([
  ["termine", "appointment"],
  ["werkstatttermin", "garage appointment"],
  ["zahnarzttermin", "tooth doctor appointment"],
  ["reparaturpreise", "repair price"],
  ["winterreparaturtermine", "winter repair appointment"],
  ["lieferungen", "deliver"],
  ["regionalzugpreis", "regionalzug price"],
])("%s is %s", (word, expected) => {
  expect(gloss(word)).toBe(expected);
});

test("leaves alone what only begins like a known word", () => {
  expect(gloss("winterthur")).toBeUndefined();
});

test("gives up on words that no one writes", () => {
  expect(gloss(`zahn${"arzt".repeat(20)}`)).toBeUndefined();
});
