import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";

import { PIECE_COUNT, VECTOR_PLACES } from "../../../../src/intent/encoder/layout.ts";
import { PieceSplitter } from "../../../../src/intent/encoder/pieces.ts";

const ROOM = `${import.meta.dir}/../../../../src/intent/encoder`;
const PIECES = readFileSync(`${ROOM}/pieces.txt`, "utf8").trimEnd().split("\n");
const WEIGHTS = new Uint8Array(readFileSync(`${ROOM}/weights.bin`));
const SCORES = new Float32Array(WEIGHTS.buffer, VECTOR_PLACES.pieceScores.at, PIECE_COUNT);
const GOLDEN = JSON.parse(readFileSync(`${import.meta.dir}/golden.json`, "utf8")) as {
  text: string;
  pieces: number[];
}[];

const known = new PieceSplitter(PIECES, SCORES);
const readable = (text: string) => known.split(text).map((piece) => PIECES[piece]);

describe("the pieces that come with the program", () => {
  test.each(GOLDEN)("are found in $text where the original finds them", ({ text, pieces }) => {
    expect(known.split(text)).toEqual(pieces);
  });

  test("are as many as have scores", () => {
    expect(PIECES).toHaveLength(PIECE_COUNT);
    expect(SCORES.every((score) => Number.isFinite(score))).toBe(true);
  });

  test.each([
    ["reset my password", ["▁re", "set", "▁my", "▁password"]],
    ["ﬁve  stars", ["▁five", "▁", "▁stars"]],
    ["</s>", ["▁<", "/", "s", ">"]],
  ])("make %p %p", (text, expected) => {
    expect(readable(text)).toEqual(expected);
  });
});

describe("a text is split", () => {
  const RESERVED = Array.from({ length: 6 }, (_, i) => `<${i}>`);
  const splitterOf = (scores: Record<string, number>) =>
    new PieceSplitter(
      [...RESERVED, ...Object.keys(scores)],
      [...RESERVED.map(() => 0), ...Object.values(scores)],
    );
  const PIECE = (place: number) => RESERVED.length + place;

  test("so that the scores add up to the most, be the pieces fewer or not", () => {
    const scores = { "▁": -1, a: -2, b: -2, ab: -5, "▁a": -2.5, c: -1, bc: -1 };
    expect(splitterOf(scores).split("ab")).toEqual([PIECE(4), PIECE(2)]);
    expect(splitterOf(scores).split("abc")).toEqual([PIECE(4), PIECE(6)]);
  });

  test("into the shorter last piece where two ways are alike", () => {
    expect(splitterOf({ "▁": -1, a: -1, b: -1, ab: -2 }).split("ab")).toEqual([PIECE(0), PIECE(1), PIECE(2)]);
  });

  test("with one piece for all that is unknown in a row", () => {
    expect(splitterOf({ "▁": -1, a: -1 }).split("xyzaxa")).toEqual([PIECE(0), 0, PIECE(1), 0, PIECE(1)]);
  });

  test("at a character that no piece is, but with which some begin", () => {
    expect(splitterOf({ "▁": -1, abc: -1, d: -1 }).split("abd")).toEqual([PIECE(0), 0, PIECE(2)]);
  });

  test("into nothing where there is nothing", () => {
    expect(splitterOf({ "▁": -1 }).split("")).toEqual([]);
  });
});
