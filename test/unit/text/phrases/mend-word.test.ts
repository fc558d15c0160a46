import { expect, test } from "bun:test";

import { isOneEditApart, mendableWords, mendWord } from "../../../../src/text/phrases/mend-word.ts";

const known = mendableWords(
  new Set(["hello", "thanks", "thank", "hi", "gruss", "food"]),
  new Map([
    ["thx", ["thanks"]],
    ["idk", ["i", "do", "not", "know"]],
  ]),
);

test.each([
  ["hello", "hello"],
  ["thx", "thanks"],
  ["hiiii", "hi"],
  ["helo", "hello"],
  ["thnaks", "thanks"],
  ["thanksss", "thanks"],
  ["gruess", "gruss"],
  ["idk", "idk"],
  ["tank", "tank"],
  ["foot", "foot"],
  ["jello", "jello"],
])("%s is read as %s", (written, meant) => {
  expect(mendWord(written, known, true)).toBe(meant);
});

test("single edits are mended only where asked for", () => {
  expect(mendWord("thnaks", known, false)).toBe("thnaks");
  expect(mendWord("hiiii", known, false)).toBe("hi");
});

test.each([
  ["abcd", "abxd", true],
  ["abcd", "acbd", true],
  ["abcd", "abd", true],
  ["abd", "abcd", true],
  ["abcd", "abcd", false],
  ["abcd", "axyd", false],
  ["abcd", "ab", false],
  ["abcd", "badc", false],
])("%s and %s are one edit apart: %p", (left, right, apart) => {
  expect(isOneEditApart(left, right)).toBe(apart);
});
