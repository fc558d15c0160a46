import { describe, expect, test } from "bun:test";

import fc from "fast-check";

import { haveAll, wordsAsked, wordsOf } from "../../../src/store/analytics/words.ts";
import {
  addPlace,
  BLOCK_PLACES,
  emptyPlaces,
  hasPlace,
  listPlaces,
  packPlaces,
  unpackPlaces,
} from "../../../src/store/sqlite/analytics/places.ts";

const offsets = fc.uniqueArray(fc.nat(BLOCK_PLACES - 1), { maxLength: 400 });

describe("the places of a word", () => {
  test("are the same when they have been stored, however many", () => {
    fc.assert(
      fc.property(offsets, (wanted) => {
        const places = emptyPlaces();
        for (const offset of wanted) addPlace(places, offset);
        const read = unpackPlaces(packPlaces(places));
        expect(listPlaces(read)).toEqual(wanted.toSorted((a, b) => b - a));
        expect(wanted.every((offset) => hasPlace(read, offset))).toBe(true);
      }),
    );
  });

  test.each([127, 128, 129, BLOCK_PLACES])("%p take no more than a bitmap", (count) => {
    const places = emptyPlaces();
    for (let offset = 0; offset < count; offset++) addPlace(places, offset);
    expect(packPlaces(places).byteLength).toBeLessThanOrEqual(BLOCK_PLACES / 8);
    expect(listPlaces(unpackPlaces(packPlaces(places)))).toHaveLength(count);
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
