import { expect, test } from "bun:test";

import { indexExamples, isIndexed } from "../../../../src/intent/model/example-index.ts";

const index = indexExamples(["Where is my order?", "no", "¿Dónde está?", "no"]);

test.each(["where is my order", "WHERE is my order!!", "No.", "donde esta", " no "])("holds %p", (text) => {
  expect(isIndexed(index, text)).toBe(true);
});

test.each(["where is my", "my order", "order my is where", "no no", "", "yes"])(
  "does not hold %p",
  (text) => {
    expect(isIndexed(index, text)).toBe(false);
  },
);

test("holds nothing without examples", () => {
  expect(isIndexed(indexExamples([]), "no")).toBe(false);
});
