import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";

import { normaliseForPieces, Tokeniser } from "../../../../src/intent/encoder/tokeniser.ts";
import { WeightFile } from "../../../../src/intent/encoder/weight-file.ts";
import { readGoldenTexts } from "../../../support/golden-texts.ts";

const ROOM = `${import.meta.dir}/../../../../src/intent/encoder`;
const VOCABULARY = readFileSync(`${ROOM}/vocabulary.txt`, "utf8").trimEnd().split("\n");
const WEIGHTS = new WeightFile(readFileSync(`${ROOM}/encoder.bin`));
/** The original read at most so many pieces of these texts. */
const MAX_GOLDEN = 126;

const known = new Tokeniser(VOCABULARY, WEIGHTS.logProbabilities);

describe("the pieces that come with the program", () => {
  test.each(readGoldenTexts().filter(({ form, text }) => form === "message" && text !== ""))(
    "are found in $text where the original finds them",
    ({ text, pieces }) => {
      expect(known.split(text).slice(0, MAX_GOLDEN)).toEqual(pieces.slice(1, -1));
    },
  );

  test("are as many as have probabilities", () => {
    expect(VOCABULARY).toHaveLength(WEIGHTS.sizes.pieces);
    expect(WEIGHTS.logProbabilities.every((value) => Number.isFinite(value) && value <= 0)).toBe(true);
  });

  test("are no longer than the bound on characters counts on", () => {
    expect(Math.max(...VOCABULARY.map((piece) => piece.length))).toBe(16);
  });
});

describe("a text is read", () => {
  test.each([
    ["ＦＵＬＬ　ＷＩＤＴＨ", "full width"],
    ["  tabs\t\tand\r\nnew lines ", "tabs and new lines"],
    ["zero\u200bwidth\ufeff", "zero width"],
    ["bell\u0007", "bell"],
    ["▁▁", ""],
  ])("%j as %j", (text, expected) => {
    expect(normaliseForPieces(text)).toBe(expected);
  });
});

describe("a text is split", () => {
  const RESERVED = ["<s>", "<pad>", "</s>", "<unk>"];
  const splitterOf = (logProbabilities: Record<string, number>) =>
    new Tokeniser(
      [...RESERVED, ...Object.keys(logProbabilities)],
      [...RESERVED.map(() => 0), ...Object.values(logProbabilities)],
    );
  const PIECE = (place: number) => RESERVED.length + place;

  test("so that the logarithms add up to the most, be the pieces fewer or not", () => {
    const pieces = { "▁": -1, a: -2, b: -2, ab: -5, "▁a": -2.5, c: -1, bc: -1 };
    expect(splitterOf(pieces).split("ab")).toEqual([PIECE(4), PIECE(2)]);
    expect(splitterOf(pieces).split("abc")).toEqual([PIECE(4), PIECE(6)]);
  });

  test("into the longer last piece where two ways are alike", () => {
    expect(splitterOf({ "▁": -1, a: -1, b: -1, ab: -2 }).split("ab")).toEqual([PIECE(0), PIECE(3)]);
  });

  test("with one unknown piece for each character that no piece covers", () => {
    expect(splitterOf({ "▁": -1, a: -1 }).split("xy👍a")).toEqual([PIECE(0), 3, 3, 3, PIECE(1)]);
  });

  test("at a character that no piece is, but with which some begin", () => {
    expect(splitterOf({ "▁": -1, abc: -1, d: -1 }).split("abd")).toEqual([PIECE(0), 3, 3, PIECE(2)]);
  });

  test("never into what stands for the start or the end of a text", () => {
    expect(splitterOf({ "▁": -1 }).split("<s>")).toEqual([PIECE(0), 3, 3, 3]);
  });

  test("into nothing where there is nothing", () => {
    expect(splitterOf({ "▁": -1 }).split(" \u200b ")).toEqual([]);
  });
});
