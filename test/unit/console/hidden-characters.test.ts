import { describe, expect, test } from "bun:test";

import { piecesOf } from "../../../src/console/words/hidden-characters.ts";

const drawn = (text: string) =>
  piecesOf(text)
    .map((piece) => (piece.kind === "text" ? piece.text : `[${piece.code}]`))
    .join("");

describe("what visitors wrote", () => {
  test.each([
    ["del\u200Bete", "del[U+200B]ete"],
    ["acc\u202Eount", "acc[U+202E]ount"],
    ["\u0000\u001B[31m", "[U+0000][U+001B][31m"],
    ["a\u3164b\u2800c", "a[U+3164]b[U+2800]c"],
    ["a\u{E0041}b", "a[U+E0041]b"],
    ["x\uFE0F\uFE0F", "x\uFE0F[U+FE0F]"],
    ["lone \uD800 half", "lone [U+D800] half"],
    ["un\u00ADsaid", "un[U+00AD]said"],
  ])("shows what is invisible in %j", (text, expected) => {
    expect(drawn(text)).toBe(expected);
  });

  test.each(["two\nlines\tand a tab", "می‌خواهم", "👩‍💻 and 👍🏽", "❤️", "क्‍ष", "أين طلبي؟", "naïve café"])(
    "leaves %j as it is spelled",
    (text) => {
      expect(piecesOf(text)).toEqual([{ kind: "text", text }]);
    },
  );
});
