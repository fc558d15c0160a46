import { describe, expect, test } from "bun:test";

import { KeyedHash } from "../../../src/access/keyed-hash.ts";

const hexOf = (number: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(number);
  return bytes.toString("hex");
};

/** The hash of a text as the reference implementation prints it. */
function hashOf(key: readonly [number, number], text: string): string {
  const hash = new KeyedHash(key);
  hash.read(text);
  return hexOf(hash.low) + hexOf(hash.high);
}

describe("the keyed hash", () => {
  // Key 00 … 07, input 00 01 02 …: `vectors_hsip64` of the reference implementation, those of an even length.
  test.each([
    [0, "218d1f59b9b83cc8"],
    [2, "064f39ef7c50eb57"],
    [4, "d5e78a175be52ea1"],
    [6, "ce3e91358aa2bc25"],
    [8, "edfee820bce4858c"],
    [10, "95b0469f06a6f2ee"],
    [12, "7bc71f9faef5c799"],
    [14, "3bb1a870eae8e658"],
    [16, "7336aad25f7bf3b5"],
    [18, "c9b2db2b9a3e42f9"],
    [20, "1bf52b0a6feea7db"],
    [32, "28709d46d811626c"],
    [34, "8324e4d7528f9830"],
  ])("of %i bytes is that of HalfSipHash-2-4", (length, expected) => {
    const bytes = Buffer.from(Array.from({ length }, (_, at) => at));
    expect(hashOf([0x03_02_01_00, 0x07_06_05_04], bytes.toString("utf16le"))).toBe(expected);
  });

  test("of callers differ from each other, and with the key", () => {
    const callers = Array.from({ length: 20_000 }, (_, n) => `7 10.0.${n >> 8}.${n & 255}`);
    const hashes = callers.flatMap((caller) => [hashOf([1, 2], caller), hashOf([1, 3], caller)]);
    expect(new Set(hashes).size).toBe(2 * callers.length);
  });
});
