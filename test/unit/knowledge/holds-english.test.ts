import { expect, test } from "bun:test";

import { holdsEnglish } from "../../../src/knowledge/holds-english.ts";
import { termsOfPassage } from "../../../src/knowledge/packed-terms.ts";
import { SearchIndex } from "../../../src/knowledge/search-index.ts";

const ENGLISH = "Pack the tent and the poles.";
const GERMAN = "Packen Sie das Zelt und die Stangen ein.";

test.each([
  ["English ones", [ENGLISH, ENGLISH], true],
  ["a few English ones among German", [ENGLISH, ENGLISH, ...Array<string>(8).fill(GERMAN)], true],
  ["German ones", [GERMAN, GERMAN], false],
  ["a German one with an English name", [GERMAN, "Das Zelt von The North Face."], false],
  ["French ones about tea", ["Le thé est prêt.", "Du thé vert."], false],
  ["Danish ones about ducks", ["En and og en gås.", "Stegt and."], false],
  ["none", [], false],
])("passages that are %s", (_, bodies, isEnglish) => {
  const index = SearchIndex.build(bodies.map((body, id) => ({ id, terms: termsOfPassage("", body) })));
  expect(holdsEnglish(index)).toBe(isEnglish);
});
