import { describe, expect, test } from "bun:test";

import { hashWordText } from "../../../../src/intent/features/features.ts";
import { HashIndex } from "../../../../src/intent/features/hash-index.ts";
import { Coverage, trustIn } from "../../../../src/intent/words/coverage.ts";
import { buildLexicon } from "../../../../src/intent/words/spelling.ts";
import { normaliseText } from "../../../../src/text/normalise.ts";
import { TokenBuffer } from "../../../../src/text/tokenise.ts";

const KNOWN = ["where", "is", "my", "order", "parcel"];

function coverageOf(text: string): number {
  const index = HashIndex.withRoomFor(KNOWN.length);
  KNOWN.forEach((word, row) => index.set(hashWordText(word), row));
  const tokens = new TokenBuffer();
  tokens.read(normaliseText(text));
  return new Coverage(index, buildLexicon(new Map(KNOWN.map((word) => [word, 1])))).of(tokens);
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

describe("trust", () => {
  test("is whole from the coverage that is needed on, and where none is", () => {
    expect(trustIn(0.5, 0.4)).toBe(1);
    expect(trustIn(0, 0)).toBe(1);
  });

  test("grows with coverage, and leaves a little where there is none", () => {
    expect(trustIn(0, 0.4)).toBe(0.1);
    expect(trustIn(0.2, 0.4)).toBeCloseTo(0.6);
  });
});
