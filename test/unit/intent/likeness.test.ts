import { describe, expect, test } from "bun:test";

import { FeatureBuffer } from "../../../src/intent/features.ts";
import { Likeness } from "../../../src/intent/likeness.ts";
import { normaliseText } from "../../../src/intent/normalise.ts";
import { buildLexicon } from "../../../src/intent/spelling.ts";
import { TokenBuffer } from "../../../src/intent/tokenise.ts";
import { wordMeanings } from "../../../src/intent/word-meanings.ts";

const likeness = new Likeness(
  wordMeanings(),
  buildLexicon(new Map(["where", "is", "my", "ticket", "order"].map((word) => [word, 1]))),
);

function likenessOf(text: string): number {
  const tokens = new TokenBuffer();
  tokens.read(normaliseText(text));
  const features = new FeatureBuffer();
  features.read(tokens);
  return likeness.of(features);
}

describe("likeness", () => {
  test("is whole where every word is known, and where no word is one", () => {
    expect(likenessOf("Where is my ticket?")).toBeCloseTo(1, 1);
    expect(likenessOf("42 😀")).toBe(1);
  });

  test("of a word is that to the known word most like it", () => {
    expect(likenessOf("where is my booking")).toBeGreaterThan(likenessOf("where is my grandmother") + 0.1);
    expect(likenessOf("where is my booking")).toBeLessThan(1);
  });

  test("hardly depends on frequent words", () => {
    expect(likenessOf("the booking")).toBeCloseTo(likenessOf("is this the booking that is there"), 0);
  });

  test("never exceeds 1", () => {
    for (const text of ["ticket", "ticket ticket order", "my order is my order"]) {
      expect(likenessOf(text)).toBeLessThanOrEqual(1);
    }
  });
});
