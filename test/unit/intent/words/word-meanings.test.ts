import { describe, expect, test } from "bun:test";

import { englishMeanings } from "../../../../src/intent/words/english-meanings.ts";
import {
  MEANING_DIMENSIONS,
  packWordMeanings,
  WordMeanings,
} from "../../../../src/intent/words/word-meanings.ts";
import { hashWordText } from "../../../../src/text/word-hash.ts";

const meaningOf = (word: string) => englishMeanings().find(hashWordText(word));
const similarity = (one: string, ...others: string[]) =>
  englishMeanings().greatestSimilarity(meaningOf(one), englishMeanings().select(others.map(meaningOf)));

describe("the meanings that come with the program", () => {
  test.each([
    ["invoice", "receipt", "weather"],
    ["refund", "reimbursement", "weather"],
    ["delete", "remove", "order"],
    ["parcel", "package", "account"],
    ["cancel", "terminate", "package"],
    ["monday", "thursday", "password"],
  ])("hold that %s is more like %s than like %s", (word, like, unlike) => {
    expect(similarity(word, like)).toBeGreaterThan(similarity(word, unlike) + 0.2);
  });

  test("hold that a word is like itself", () => {
    expect(similarity("parcel", "parcel")).toBeCloseTo(1, 1);
    expect(similarity("parcel", "parcel")).toBeLessThanOrEqual(1);
  });

  test("tell the greatest similarity, though they leave off where a word cannot be the most similar", () => {
    const others = ["weather", "receipt", "password", "thursday", "payment", "bill", "guitar"];
    const each = others.map((other) => similarity("invoice", other));
    expect(similarity("invoice", ...others)).toBe(Math.max(...each));
    expect(similarity("invoice", ...others.toReversed())).toBe(Math.max(...each));
    expect(similarity("invoice")).toBe(0);
  });

  test("give a frequent word next to no weight", () => {
    expect(englishMeanings().weightOf(meaningOf("the"))).toBeLessThan(0.02);
    expect(englishMeanings().weightOf(meaningOf("parcel"))).toBeGreaterThan(0.8);
  });

  test.each(["quiddestrasse", "xqzt", ""])("lack %p", (word) => {
    expect(meaningOf(word)).toBe(-1);
  });
});

test("meanings that were packed are found again, each with its weight and vector", () => {
  const vector = (d: number) => Array.from({ length: MEANING_DIMENSIONS }, (_, i) => (i === d ? 1 : 0));
  const packed = packWordMeanings([
    { hash: 7, weight: 0.5, vector: vector(0) },
    { hash: -3, weight: 0.25, vector: vector(1) },
  ]);
  const meanings = WordMeanings.unpack(new Uint8Array(packed));
  const sum = new Float64Array(MEANING_DIMENSIONS);
  meanings.addTo(sum, meanings.find(7));
  meanings.addTo(sum, meanings.find(-3));
  expect(sum.slice(0, 3)).toEqual(Float64Array.of(0.5, 0.25, 0));
  expect(meanings.find(8)).toBe(-1);
  expect(meanings.greatestSimilarity(meanings.find(7), meanings.select([meanings.find(-3)]))).toBe(0);
});
