import { describe, expect, test } from "bun:test";

import { spanOfDenied, spanOfWords } from "../../../src/operate/receipt/deciding-span.ts";

const textOf = (text: string, span: { from: number; to: number } | undefined) =>
  span && text.slice(span.from, span.to);

describe("the part of a message that decided", () => {
  test.each([
    [
      "words with signs between them",
      "Please – DELETE, my   account!",
      ["delete", "my", "account"],
      "DELETE, my   account",
    ],
    ["words that are written with marks", "Bitte lösche mein Konto", ["losche", "mein"], "lösche mein"],
    ["words behind emoji, in UTF-16 units", "👍🏽 cancel it", ["cancel", "it"], "cancel it"],
    ["ideographs", "我要删除账户", ["删", "除"], "删除"],
    ["the first of several places", "a b a b", ["a", "b"], "a b"],
    ["nothing where the words are not there", "hello", ["delete"], undefined],
    ["nothing for signs alone", "?!", ["?"], undefined],
  ])("is found for %s", (_, text, words, part) => {
    expect(textOf(text, spanOfWords(text, words))).toBe(part);
  });

  test("is a denied term, inflected or not", () => {
    expect(textOf("Any XANAX here", spanOfDenied("Any XANAX here", { term: "xanax" }))).toBe("XANAX");
    const text = "two prescriptions, please";
    expect(textOf(text, spanOfDenied(text, { term: "prescription" }))).toBe("prescriptions");
  });

  test("is the data that the profile denies", () => {
    const text = "Write to ann@example.com soon";
    expect(textOf(text, spanOfDenied(text, { pattern: "e-mail" }))).toBe("ann@example.com");
    expect(spanOfDenied("nothing here", { pattern: "iban" })).toBeUndefined();
  });
});
