import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";

import { separateElisions } from "../../../../src/intent/gloss/split-words.ts";
import { LANGUAGES } from "../../../../src/text/languages.ts";
import { normaliseText } from "../../../../src/text/normalise.ts";

const ENGLISH = String.raw`[a-z0-9]['a-z0-9-]*`;
const WORD = String.raw`\p{L}+`;
const PATTERN = String.raw`[\p{L}\p{N}]+\*?`;
const TRADE_WORD = new RegExp(String.raw`^(${WORD}|\p{L}{3,}\*)( ${ENGLISH}){1,6}$`, "u");
const PHRASE = new RegExp(
  String.raw`^${PATTERN}([ '-]${PATTERN})*( \.\.\. ${PATTERN}( ${PATTERN})*)? =( ${ENGLISH})*$`,
  "u",
);
const SEPARABLE_VERB = new RegExp(String.raw`^${WORD}\|${WORD}(,${WORD})* =( ${ENGLISH})+$`, "u");

describe.each(LANGUAGES.filter((language) => language !== "en"))("in %s", (language) => {
  const folder = new URL(`../../../../src/text/languages/${language}/`, import.meta.url);
  const linesOf = (name: string) => readFileSync(new URL(name, folder), "utf8").trimEnd().split("\n");

  test("a trade word is a word or a stem and its English", () => {
    expect(linesOf("trade-words.txt").filter((line) => !TRADE_WORD.test(line))).toEqual([]);
  });

  test("a phrase is words, with a gap at most, or a separable verb, and its English", () => {
    const isPhrase = (line: string) => PHRASE.test(line) || SEPARABLE_VERB.test(line);
    expect(linesOf("phrases.txt").filter((line) => !isPhrase(line))).toEqual([]);
  });

  test("only the languages with separable verbs have some", () => {
    const verbs = linesOf("phrases.txt").filter((line) => line.includes("|"));
    expect(verbs.length > 0).toBe(language === "de" || language === "nl");
  });

  test.each(["trade-words.txt", "phrases.txt"])("%s holds each but once", (name) => {
    const separator = name === "phrases.txt" ? " =" : " ";
    const keys = linesOf(name).map((line) => {
      const spelled = separateElisions(line.split(separator)[0]!, language);
      // Short words may differ by a diacritic alone.
      return name === "trade-words.txt" && spelled.length <= 5 ? spelled : normaliseText(spelled);
    });
    expect(keys.filter((key, i) => keys.indexOf(key) !== i)).toEqual([]);
  });

  test("trade words and phrases take no more than 150 KB", () => {
    const bytes = ["trade-words.txt", "phrases.txt"].map(
      (name) => readFileSync(new URL(name, folder)).length,
    );
    expect(bytes[0]! + bytes[1]!).toBeLessThan(150_000);
  });
});
