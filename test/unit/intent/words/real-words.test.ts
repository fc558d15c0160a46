import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";

import { REAL_WORDS } from "../../../../src/intent/words/real-words.ts";
import { normaliseText } from "../../../../src/text/normalise.ts";
import { hashWordText } from "../../../../src/text/word-hash.ts";
import { realWordHashes } from "../../../bench/intent/make-real-words.ts";

const isReal = (word: string) => REAL_WORDS.find(hashWordText(normaliseText(word))) >= 0;

test.each(["therapist", "layer", "einschlafen", "Größe", "rendez", "другой"])("%s is a word", (word) => {
  expect(isReal(word)).toBe(true);
});

test.each(["thearpist", "xanaxx", "dellivery"])("%s is none", (word) => {
  expect(isReal(word)).toBe(false);
});

test("the file is what its lists say", () => {
  const file = readFileSync(`${import.meta.dir}/../../../../src/intent/words/real-words.bin`);
  expect([...new Int32Array(new Uint8Array(file).buffer)]).toEqual([...realWordHashes()]);
});
