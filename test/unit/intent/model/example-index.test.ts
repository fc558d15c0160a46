import { expect, test } from "bun:test";

import { type ExampleIndex, hashExample, indexExamples } from "../../../../src/intent/model/example-index.ts";
import { normaliseText } from "../../../../src/text/normalise.ts";
import { TokenBuffer } from "../../../../src/text/tokenise.ts";

const index = indexExamples(["Where is my order?", "no", "¿Dónde está?", "no"]);

function isIndexed(examples: ExampleIndex, text: string): boolean {
  const tokens = new TokenBuffer();
  tokens.read(normaliseText(text));
  return examples.includes(hashExample(tokens));
}

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
