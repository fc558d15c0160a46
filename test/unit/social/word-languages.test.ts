import { describe, expect, test } from "bun:test";

import { socialPhrasesIn, socialTextIn } from "../../../src/social/social-phrases.ts";
import {
  bitOf,
  languagesBeginningAt,
  languagesEndingAt,
  languagesOfWhole,
  MAX_ANY_WORDS,
} from "../../../src/social/word-languages.ts";
import { chatSpeakIn } from "../../../src/text/chat-speak.ts";
import { LANGUAGES } from "../../../src/text/languages.ts";
import { wordsOfMessage } from "../../../src/text/phrases/message-words.ts";
import type { Pattern } from "../../../src/text/phrases/pattern.ts";

/** The most words of any kind that follow each other in a pattern: anywhere, at an end, and where it consists of nothing else. */
interface AnyWords {
  inside: number;
  atStart: number;
  atEnd: number;
  alone: number;
}

const NO_WORD: AnyWords = { inside: 0, atStart: 0, atEnd: 0, alone: 0 };
const KNOWN_WORD: AnyWords = { ...NO_WORD, alone: -Infinity };

const most = (left: AnyWords, right: AnyWords): AnyWords => ({
  inside: Math.max(left.inside, right.inside),
  atStart: Math.max(left.atStart, right.atStart),
  atEnd: Math.max(left.atEnd, right.atEnd),
  alone: Math.max(left.alone, right.alone),
});

const following = (left: AnyWords, right: AnyWords): AnyWords => ({
  inside: Math.max(left.inside, right.inside, left.atEnd + right.atStart),
  atStart: Math.max(left.atStart, left.alone + right.atStart),
  atEnd: Math.max(right.atEnd, left.atEnd + right.alone),
  alone: left.alone + right.alone,
});

function anyWordsIn(pattern: Pattern): AnyWords {
  if (pattern.kind === "anyWord") return { inside: 1, atStart: 1, atEnd: 1, alone: 1 };
  if (pattern.kind === "choice") return pattern.options.map(anyWordsIn).reduce(most, KNOWN_WORD);
  if (pattern.kind === "sequence") return pattern.parts.map(anyWordsIn).reduce(following, NO_WORD);
  if (pattern.kind !== "repeated") return KNOWN_WORD;
  const once = anyWordsIn(pattern.part);
  if (once.alone > 0) return { inside: Infinity, atStart: Infinity, atEnd: Infinity, alone: Infinity };
  return most(NO_WORD, following(once, once));
}

describe.each(LANGUAGES)("in %s", (language) => {
  const { book, words } = socialPhrasesIn(language);
  const isPossible = (word: string) =>
    (languagesBeginningAt(0, wordsOfMessage(word)) & bitOf(language)) !== 0;

  test("each word of the phrases is known, also where it is abbreviated or drawn out", () => {
    const drawnOut = [...book.vocabulary].map((word) => `${word}${word.at(-1)}${word.at(-1)}`);
    const written = [...book.vocabulary, ...chatSpeakIn(language).keys(), ...drawnOut];
    const found = written.flatMap((word) => wordsOfMessage(word).filter((known) => known.kind === "word"));
    const inPhrases = found.filter(({ known }) => words.find(known, false) !== "");
    expect(inPhrases.length).toBeGreaterThan(book.vocabulary.size);
    expect(inPhrases.filter(({ text }) => !isPossible(text))).toEqual([]);
  });

  test("no phrase has more words of any kind in a row than are reckoned with", () => {
    const rows = book.matcher.phrases.map(({ pattern }) => anyWordsIn(pattern).inside);
    expect(Math.max(...rows)).toBeGreaterThan(0);
    expect(Math.max(...rows)).toBeLessThanOrEqual(MAX_ANY_WORDS);
  });

  test("words of any kind stand in the line of the phrase itself", () => {
    expect(socialTextIn(language)).not.toMatch(/^\$.*\*/m);
  });
});

const languagesIn = (bits: number) => LANGUAGES.filter((language) => (bits & bitOf(language)) !== 0);
const ofWhole = (text: string) =>
  languagesIn(languagesOfWhole(wordsOfMessage(text), (word) => word === "acme"));

test("a whole message is only in languages that have all of its words, or English has", () => {
  expect(ofWhole("vielen dank acme 👍")).toEqual(["de"]);
  expect(ofWhole("hello vielen dank")).toEqual(["de"]);
  expect(ofWhole("vielen dank für das paket")).toEqual([]);
  expect(ofWhole("hello there")).toEqual([...LANGUAGES]);
});

test("words of any kind may stand beside those of phrases that have some", () => {
  expect(ofWhole("mi chiamo Zqxwy Zqxwz")).toContain("it");
  expect(ofWhole("grazie Zqxwy")).not.toContain("it");
  expect(ofWhole("sincerly Zqxwy")).toEqual([...LANGUAGES]);
});

test("a message may end with a name", () => {
  const backwards = wordsOfMessage("atentamente Zqxwy").toReversed();
  expect(languagesIn(languagesEndingAt(0, backwards))).toContain("es");
  expect(languagesIn(languagesBeginningAt(0, backwards))).toEqual([]);
});
