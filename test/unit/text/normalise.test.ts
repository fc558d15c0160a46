import { describe, expect, test } from "bun:test";

import fc from "fast-check";

import { normaliseText } from "../../../src/text/normalise.ts";
import { TokenBuffer } from "../../../src/text/tokenise.ts";

function tokensOf(text: string): string[] {
  const tokens = new TokenBuffer();
  const normalised = normaliseText(text);
  tokens.read(normalised);
  return Array.from({ length: tokens.count }, (_, t) => normalised.slice(tokens.starts[t], tokens.ends[t]));
}

describe("texts that mean the same have the same tokens", () => {
  test.each([
    ["What's UP?", "whats up ?"],
    ["what’s up?", "whats up ?"],
    ["Ｗｈａｔｓ ｕｐ？", "whats up ?"],
    ["Ça va, Zoë?", "ca va , zoe ?"],
    ["ДЁШЕВО ёлка", "дешево елка"],
    ["Straße", "strasse"],
    ["so\u{ad}ft\u{200b}ware", "software"],
    ["你好 ok", "你 好 ok"],
    ["カタ", "カ タ"],
    ["हिन्दी में", "हिन्दी में"],
    ["ok👍🏽!", "ok 👍 🏽 !"],
    ["'quoted'", "' quoted '"],
    ["a\u{0}b", "a b"],
    ["a\u{d83d}b c", "a b c"],
  ])("%j", (text, expected) => {
    expect(tokensOf(text).join(" ")).toBe(expected.normalize("NFC"));
  });
});

test("a buffer that is read again holds nothing of the text before", () => {
  const tokens = new TokenBuffer();
  tokens.read("one two three");
  tokens.read("four");
  expect([tokens.count, tokens.length, tokens.starts[0], tokens.ends[0]]).toEqual([1, 4, 0, 4]);
});

/** What separates tokens, or is a mark of an emoji's look or frame. */
const NO_TOKEN = /[\s\p{C}\p{Variation_Selector}\p{Me}]/gu;

test("tokens cover every letter of any text, in order", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      const letters = normaliseText(text).replaceAll(NO_TOKEN, "");
      expect(tokensOf(text).join("").replaceAll(NO_TOKEN, "")).toBe(letters);
    }),
  );
});
