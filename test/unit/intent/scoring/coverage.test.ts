import { describe, expect, test } from "bun:test";

import { Coverage, coverageOf as shareCovered } from "../../../../src/intent/scoring/coverage.ts";
import { HashIndex } from "../../../../src/intent/words/hash-index.ts";
import { buildLexicon } from "../../../../src/intent/words/lexicon.ts";
import { normaliseText } from "../../../../src/text/normalise.ts";
import { TokenBuffer } from "../../../../src/text/tokenise.ts";
import { hashWordText } from "../../../../src/text/word-hash.ts";

const KNOWN = ["where", "is", "my", "order", "parcel"];

function coverageOf(text: string): number {
  const index = HashIndex.withRoomFor(KNOWN.length);
  KNOWN.forEach((word, row) => index.set(hashWordText(word), row));
  const tokens = new TokenBuffer();
  tokens.read(normaliseText(text));
  const coverage = new Coverage(index, buildLexicon(new Map(KNOWN.map((word) => [word, 1]))));
  return shareCovered(Array.from({ length: tokens.count }, (_, token) => coverage.ofToken(tokens, token)));
}

describe("coverage", () => {
  test("is whole where every word is known, and where there is none", () => {
    expect(coverageOf("Where is my order?")).toBe(1);
    expect(coverageOf("?! 42 😀")).toBe(1);
  });

  test("hardly counts words that name no subject", () => {
    expect(coverageOf("where is my weather")).toBeLessThan(0.25);
    expect(coverageOf("what about the order")).toBeGreaterThan(0.75);
  });

  test("is none where nothing is known", () => {
    expect(coverageOf("quantum chromodynamics")).toBe(0);
  });

  test("counts another form of a known word nearly whole", () => {
    expect(coverageOf("orders")).toBe(0.8);
    expect(coverageOf("parcels")).toBe(0.8);
    expect(coverageOf("parents")).toBe(0);
  });
});
