import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";

import { SENTENCE_WIDTH } from "../../../../src/intent/encoder/layout.ts";
import { asEncoded, openSentenceEncoder } from "../../../../src/intent/encoder/sentence-encoder.ts";
import { PlainEncoder } from "../../../support/plain-encoder.ts";

interface Golden {
  text: string;
  pieces: number[];
  /** Numbers of 16 bits, in base 64. */
  vector: string;
}

/** What the original makes of some texts, in float32; see test/bench/intent/encoder/make-golden.ts. */
const GOLDEN = JSON.parse(readFileSync(`${import.meta.dir}/golden.json`, "utf8")) as Golden[];

const encoder = openSentenceEncoder()!;
const plain = PlainEncoder.open();
const centred = (text: string) => encoder.encodeCentred(text)!;

function dot(one: ArrayLike<number>, other: ArrayLike<number>): number {
  let sum = 0;
  for (let d = 0; d < SENTENCE_WIDTH; d++) sum += one[d]! * other[d]!;
  return sum;
}

function vectorOf({ vector }: Golden): Float16Array {
  return new Float16Array(Uint8Array.fromBase64(vector).buffer);
}

describe("the sentence encoder", () => {
  test.each(GOLDEN)("means by $text what the original means", (golden) => {
    const expected = vectorOf(golden);
    const vector = plain.encode(golden.text);
    expect(vector).toHaveLength(SENTENCE_WIDTH);
    expect(dot(vector, vector)).toBeCloseTo(1, 5);
    expect(dot(vector, expected) / Math.sqrt(dot(expected, expected))).toBeGreaterThan(0.999);
  });

  test.each(["", " ", "\n\t "])("has nothing to say of %j", (blank) => {
    expect(encoder.encodeCentred(blank)).toBeUndefined();
  });

  test.each([
    ["i forgot my password", "cannot remember my login secret", "where is my parcel"],
    ["can i get my money back", "how do refunds work", "what time do you open"],
    ["are you open on sunday", "is the shop open at the weekend", "delete my account"],
  ])("holds that %p is more like %p than like %p", (text, like, unlike) => {
    expect(dot(centred(text), centred(like))).toBeGreaterThan(dot(centred(text), centred(unlike)) + 0.2);
  });

  test("gives vectors that are the caller's own", () => {
    const first = centred("where is my order");
    const kept = first.slice();
    centred("something else altogether");
    expect(first).toEqual(kept);
    expect(centred("where is my order")).toEqual(kept);
  });

  test("leaves out what requests have in common, and keeps the length", () => {
    const [one, other] = ["what is the weather", "book me a table"];
    expect(dot(centred(one), centred(one))).toBeCloseTo(1, 5);
    expect(dot(centred(one), centred(other))).toBeLessThan(dot(plain.encode(one), plain.encode(other)));
  });

  test("reads no more of a long text than counts", () => {
    const long = "where is my order ".repeat(40);
    expect(centred(`${long} and a recipe for cake`)).toEqual(centred(long));
    expect(plain.encode(`${long} and a recipe for cake`)).toEqual(plain.encode(long));
    const endless = `${"a ".repeat(500_000)}end`;
    expect(centred(endless)).toEqual(centred("a ".repeat(1024)));
  });

  test("is opened once", () => {
    expect(openSentenceEncoder()).toBe(encoder);
  });
});

test.each([
  ["Where is my order?", "where is my order?"],
  ["  Cancel it, please...  ", "cancel it, please"],
  ["STOP!!!", "stop"],
  ["...", "..."],
])("%p is encoded as %p", (text, expected) => {
  expect(asEncoded(text)).toBe(expected);
});
