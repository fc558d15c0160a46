import { expect, test } from "bun:test";

import { contentWordsOf } from "../../../src/text/content-words.ts";

test.each([
  ["and what does it cost in August?", ["cost", "august"]],
  ["der Wechsel der Reifen, der Reifen!", ["wechsel", "reifen"]],
  ["write to anna@example.com or call +49 30 901820", ["write", "call"]],
  ["4111 1111 1111 1111 was my card", ["card"]],
  ["", []],
])("of %s", (text, words) => {
  expect(contentWordsOf(text)).toEqual(words);
});

test("are no longer than a word, in scripts that part no words as well", () => {
  expect(contentWordsOf("営業時間".repeat(30))[0]!.length).toBeLessThanOrEqual(40);
});
