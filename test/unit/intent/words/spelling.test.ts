import { describe, expect, test } from "bun:test";

import { FeatureBuffer } from "../../../../src/intent/features/features.ts";
import { HashIndex } from "../../../../src/intent/words/hash-index.ts";
import { buildLexicon } from "../../../../src/intent/words/lexicon.ts";
import { repairWords } from "../../../../src/intent/words/spelling.ts";
import { TokenBuffer } from "../../../../src/text/tokenise.ts";
import { hashWord } from "../../../../src/text/word-hash.ts";

const WORDS = new Map([
  ["order", 9],
  ["older", 1],
  ["refund", 5],
  ["card", 4],
  ["cart", 4],
  ["my", 20],
]);
const lexicon = buildLexicon(WORDS);

/** Knows all words above, and the pairs of neighbours in these texts. */
function featuresKnownFrom(...texts: string[]): HashIndex {
  const known = HashIndex.withRoomFor(500);
  const tokens = new TokenBuffer();
  const features = new FeatureBuffer();
  for (const text of [...WORDS.keys(), ...texts]) {
    tokens.read(text);
    features.read(tokens);
    for (const hash of features.hashes.subarray(0, features.groupEnds[1])) known.set(hash, 1);
  }
  return known;
}

function repaired(text: string, known = featuresKnownFrom()): string {
  const tokens = new TokenBuffer();
  tokens.read(text);
  repairWords(lexicon, tokens, known);
  return Array.from({ length: tokens.count }, (_, t) =>
    String.fromCharCode(...tokens.codeUnits.subarray(tokens.starts[t], tokens.ends[t])),
  ).join(" ");
}

describe("a word that was never seen", () => {
  test.each([
    ["a letter too few", "refnd", "refund"],
    ["a letter too many", "reffund", "refund"],
    ["a wrong letter", "rafund", "refund"],
    ["two letters swapped", "refnud", "refund"],
    ["two mistakes, which stay", "rfnud", "rfnud"],
    ["a digit, which is no mistake", "refun4", "refun4"],
    ["no known word near", "weather", "weather"],
  ])("with %s", (_, text, expected) => {
    expect(repaired(text)).toBe(expected);
  });

  test("becomes the more frequent of two candidates", () => {
    expect(repaired("orlder")).toBe("order");
  });

  test("becomes the candidate that was seen next to its neighbour", () => {
    expect(repaired("my carz", featuresKnownFrom("my cart"))).toBe("my cart");
    expect(repaired("my carz", featuresKnownFrom("my card"))).toBe("my card");
  });
});

test("a known word is left alone, however rare", () => {
  expect(repaired("border")).toBe("border");
});

test("a word has one feature wherever it stands", () => {
  const units = Uint16Array.from("xcardx", (character) => character.charCodeAt(0));
  expect(hashWord(units, 1, 5)).toBe(hashWord(units.slice(1, 5), 0, 4));
});

describe("a word is no mistake", () => {
  test("when it is a real word", () => {
    expect(repaired("ordex")).toBe("order");
    expect(repaired("border")).toBe("border");
  });

  test("when it is frequent in one of several languages", () => {
    expect(repaired("oder")).toBe("oder");
  });
});
