import { describe, expect, test } from "bun:test";

import fc from "fast-check";

import { haveAll, wordsAsked, wordsOf } from "../../../../src/store/analytics/words.ts";
import {
  setBit,
  BLOCK_PLACES,
  emptyBitmap,
  hasBit,
  listBits,
  packBitmap,
  unpackBitmap,
} from "../../../../src/store/sqlite/analytics/bitmaps.ts";

const offsets = fc.uniqueArray(fc.nat(BLOCK_PLACES - 1), { maxLength: 400 });

describe("the places of a word", () => {
  test("are the same when they have been stored, however many", () => {
    fc.assert(
      fc.property(offsets, (wanted) => {
        const places = emptyBitmap();
        for (const offset of wanted) setBit(places, offset);
        const read = unpackBitmap(packBitmap(places));
        expect(listBits(read)).toEqual(wanted.toSorted((a, b) => b - a));
        expect(wanted.every((offset) => hasBit(read, offset))).toBe(true);
      }),
    );
  });

  test.each([127, 128, 129, BLOCK_PLACES])("%p take no more than a bitmap", (count) => {
    const places = emptyBitmap();
    for (let offset = 0; offset < count; offset++) setBit(places, offset);
    expect(packBitmap(places).byteLength).toBeLessThanOrEqual(BLOCK_PLACES / 8);
    expect(listBits(unpackBitmap(packBitmap(places)))).toHaveLength(count);
  });
});

describe("words of a search", () => {
  test.each([
    ["Where's my Order?", ["wheres", "my", "order"]],
    ["Päckchen ÄRGER", ["packchen", "arger"]],
    ["a ab abc", ["abc"]],
    ["!?", []],
    ["注文 はどこ", ["注文", "はどこ"]],
  ])("%p asks for %p", (search, words) => {
    expect(wordsAsked(search)).toEqual(words);
  });

  test("each begins a word of the text", () => {
    expect(haveAll(wordsOf("Where is my parcel", "On its way"), wordsAsked("par wa"))).toBe(true);
    expect(haveAll(wordsOf("Where is my parcel"), wordsAsked("arcel"))).toBe(false);
  });

  test("a very long word is found by its beginning and by itself", () => {
    const long = "x".repeat(500);
    expect(haveAll(wordsOf(long), wordsAsked(long))).toBe(true);
  });
});
