import { describe, expect, test } from "bun:test";

import { packTextVectors, roundVector, TextVectors } from "../../../../src/intent/encoder/text-vectors.ts";

const WIDTH = 32;

/** A vector of length 1. */
function vectorOf(seed: number): Float32Array {
  const raw = Float32Array.from({ length: WIDTH }, (_, i) => Math.sin(seed + 3 * i));
  const length = Math.hypot(...raw);
  return raw.map((value) => value / length);
}

const vectors = new Map([
  ["Gift cards", vectorOf(1)],
  ["A gift card never expires.", vectorOf(2)],
]);

describe("vectors of texts", () => {
  test("are found by their texts, as they are rounded one by one", () => {
    const stored = new TextVectors(packTextVectors(vectors));
    for (const [text, vector] of vectors) expect(stored.find(text)).toEqual(roundVector(vector));
  });

  test("are near to what they were", () => {
    for (const vector of vectors.values()) {
      const rounded = roundVector(vector);
      const cosine = vector.reduce((sum, value, i) => sum + value * rounded[i]!, 0);
      expect(cosine).toBeWithin(0.999, 1.001);
    }
  });

  test("take a byte a number, and twelve for each text", () => {
    expect(packTextVectors(vectors).byteLength).toBe(4 + 2 * (12 + WIDTH));
  });

  test("are not found of other texts", () => {
    expect(new TextVectors(packTextVectors(vectors)).find("gift cards")).toBeUndefined();
  });

  test("may be none", () => {
    expect(new TextVectors(packTextVectors(new Map())).find("a")).toBeUndefined();
  });

  test.each([
    ["an array", (bytes: Uint8Array) => bytes],
    [
      "a buffer, as SQLite gives it",
      (bytes: Uint8Array) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length),
    ],
  ])("may stand anywhere in other bytes, in %s", (_name, as) => {
    const packed = packTextVectors(vectors);
    const shifted = new Uint8Array(packed.length + 3);
    shifted.set(packed, 3);
    const stored = new TextVectors(as(shifted.subarray(3)));
    for (const [text, vector] of vectors) expect(stored.find(text)).toEqual(roundVector(vector));
  });

  test.each([
    ["nothing", new Uint8Array()],
    ["cut off", packTextVectors(vectors).subarray(0, 20)],
    ["cut off by a byte", packTextVectors(vectors).subarray(0, -1)],
  ])("are refused where the bytes are none: %s", (_name, bytes) => {
    expect(() => new TextVectors(bytes)).toThrow("not the vectors of texts");
  });
});
