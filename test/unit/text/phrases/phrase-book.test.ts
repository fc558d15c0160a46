import { describe, expect, test } from "bun:test";

import { mendableWords } from "../../../../src/text/phrases/mend-word.ts";
import { wordsOfMessage } from "../../../../src/text/phrases/message-words.ts";
import { parsePhraseBook } from "../../../../src/text/phrases/phrase-book.ts";
import { phrasesOf, coversFrom } from "../../../../src/text/phrases/phrase-reader.ts";

const SECTIONS = ["one", "two"] as const;

/** The sections of the fewest phrases that cover a text. */
function sectionsIn(source: string, text: string): string[] | undefined {
  const book = parsePhraseBook(source, SECTIONS);
  const message = wordsOfMessage(text);
  const words = mendableWords(book.vocabulary, new Map());
  const phrasesFrom = phrasesOf(message, { language: "en", book, words });
  return coversFrom(0, message.length, phrasesFrom)
    .get(message.length)
    ?.map(({ section }) => section);
}

describe("a pattern", () => {
  test.each([
    ["a | b c", "b c", true],
    ["a | b c", "b", false],
    ["(a | b) c", "b c", true],
    ["a [b] c", "a c", true],
    ["a [b] c", "a b b c", false],
    ["{a | b} c", "a b a c", true],
    ["{a | b} c", "c", true],
    ["a * c", "a anything c", true],
    ["a * c", "a c", false],
    ["a {b {c}} d", "a b c c b d", true],
  ])("%s and %s", (pattern, text, matches) => {
    expect(sectionsIn(`[one]\n${pattern}`, text) !== undefined).toBe(matches);
  });

  test.each(["(a | b", "a ) b", "a + b", "$NONE a", "[a]", "* a"])("cannot be %s", (pattern) => {
    expect(() => parsePhraseBook(`[one]\n${pattern}`, SECTIONS)).toThrow();
  });
});

test("named patterns are used again, remarks and empty lines are left out", () => {
  expect(sectionsIn("# remark\n$X = a | b\n\n[one]\n$X c\n[two]\nd", "b c d")).toEqual(["one", "two"]);
});

test("a longer phrase goes before two shorter ones", () => {
  expect(sectionsIn("[one]\nno\nthanks\n[two]\nno thanks", "no, thanks!")).toEqual(["two"]);
});

test.each(["a", "[three]\na"])("a line in no known section is refused: %j", (source) => {
  expect(() => parsePhraseBook(source, SECTIONS)).toThrow(/section/);
});
