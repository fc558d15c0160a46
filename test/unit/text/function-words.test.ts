import { describe, expect, test } from "bun:test";

import { functionWordsOf, isFunctionWord, readFunctionWords } from "../../../src/text/function-words.ts";
import { LANGUAGES } from "../../../src/text/languages.ts";
import { normaliseText } from "../../../src/text/normalise.ts";
import { hashWordText } from "../../../src/text/word-hash.ts";

describe.each(LANGUAGES)("the function words of %s", (language) => {
  const words = readFunctionWords(language);

  test("are single words, none twice", () => {
    expect(words.length).toBeGreaterThan(50);
    expect(words.filter((word) => !/^\p{L}+$/u.test(word))).toEqual([]);
    expect(new Set(words).size).toBe(words.length);
  });

  test("are found in any spelling that is the same once normalised", () => {
    for (const word of words) {
      const hash = hashWordText(normaliseText(word.toUpperCase()));
      expect(functionWordsOf(language).has(hash)).toBe(true);
      expect(isFunctionWord(hash)).toBe(true);
    }
  });
});

test.each(["parcel", "Bestellung", "facture"])("%s is none", (word) => {
  expect(isFunctionWord(hashWordText(normaliseText(word)))).toBe(false);
});
