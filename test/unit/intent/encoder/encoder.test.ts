import { describe, expect, spyOn, test } from "bun:test";

import { Encoder, type EncoderInput, openEncoder } from "../../../../src/intent/encoder/encoder.ts";
import { type GoldenText, readGoldenTexts } from "../../../support/golden-texts.ts";
import { TINY_VOCABULARY, tinyWeights } from "../../../support/tiny-encoder.ts";

const encoder = openEncoder()!;
const golden = readGoldenTexts();
const message = (text: string): EncoderInput => ({ form: "message", text });

function dot(one: ArrayLike<number>, other: ArrayLike<number>): number {
  let sum = 0;
  for (let d = 0; d < one.length; d++) sum += one[d]! * other[d]!;
  return sum;
}

/** The cosine of what the encoder makes of a golden text and of what the original made of it. */
function cosineOf({ vector, ...input }: GoldenText): number {
  const expected = new Float16Array(Uint8Array.fromBase64(vector!).buffer);
  const found = encoder.encode(inputOf(input))!;
  return dot(found, expected) / Math.sqrt(dot(expected, expected));
}

/** Longer messages are golden as they would be read of a document. */
function inputOf({ form, text, before, subject, pieces }: Omit<GoldenText, "vector">): EncoderInput {
  if (form === "followUp") return { form, text, before: before!, ...(subject !== undefined && { subject }) };
  return pieces.length <= 50 ? message(text) : { form: "passage", text };
}

describe("the encoder", () => {
  test("means by golden texts what the original means", () => {
    const cosines = golden
      .filter(({ vector, pieces, text }) => vector && pieces.length <= 114 && text !== "")
      .map(cosineOf);
    expect(cosines.length).toBeGreaterThan(40);
    expect(Math.min(...cosines)).toBeGreaterThan(0.998);
    expect(cosines.reduce((sum, cosine) => sum + cosine, 0) / cosines.length).toBeGreaterThan(0.999);
  });

  test.each(golden.filter(({ form }) => form === "followUp"))(
    "reads $text after $before as the original does",
    (text) => {
      expect(encoder.piecesOf(inputOf(text))).toEqual(text.pieces);
    },
  );

  test("gives vectors of length 1", () => {
    const vector = encoder.encode(message("wo ist mein paket"))!;
    expect(vector).toHaveLength(encoder.width);
    expect(dot(vector, vector)).toBeCloseTo(1, 5);
  });

  test.each(["", " ", "\n\t "])("has nothing to say of %j", (blank) => {
    expect(encoder.encode(message(blank))).toBeUndefined();
  });

  test("reads a text of nothing but invisible characters as unknown", () => {
    expect(encoder.piecesOf(message("\u2060\u0007"))).toBeDefined();
    expect(encoder.piecesOf(message("\u200b"))).toEqual([0, 3, 2]);
  });

  test.each([
    ["i forgot my password", "kann mein kennwort nicht finden", "where is my parcel"],
    ["can i get my money back", "comment marche un remboursement", "what time do you open"],
    ["habt ihr sonntags auf", "are you open on sunday", "konto löschen"],
  ])("holds that %p is more like %p than like %p", (text, like, unlike) => {
    const [one, other, third] = [text, like, unlike].map((each) => encoder.encode(message(each))!);
    expect(dot(one!, other!)).toBeGreaterThan(dot(one!, third!) + 0.1);
  });

  test("gives vectors that are the caller's own", () => {
    const first = encoder.encode(message("where is my order"))!;
    const kept = first.slice();
    encoder.encode(message("something else altogether"));
    expect(first).toEqual(kept);
    expect(encoder.encode(message("where is my order"))).toEqual(kept);
  });

  test("takes up a text where it was, though another was read between its layers", () => {
    const text = { form: "passage", heading: "Delivery", text: "Parcels take two days." } as const;
    const alone = encoder.encode(text)!;
    const run = encoder.begin(text, "background")!;
    let layers = 1;
    for (; !encoder.step(run); layers++) encoder.encode(message(`are you open at ${layers}`));
    expect(layers).toBeGreaterThan(1);
    expect(encoder.finish(run)).toEqual(alone);
  });

  test("reads a heading before its passage", () => {
    expect(encoder.piecesOf({ form: "passage", heading: "Hours", text: "From 9 to 5" })).toEqual(
      encoder.piecesOf({ form: "passage", text: "Hours. From 9 to 5" }),
    );
  });

  test("reads no more of a text than counts in its form", () => {
    const long = "wo ist mein paket ".repeat(200);
    expect(encoder.piecesOf(message(long))).toHaveLength(50);
    expect(encoder.piecesOf({ form: "passage", text: long })).toHaveLength(114);
    const followUp = { form: "followUp", before: long, subject: long, text: long } as const;
    expect(encoder.piecesOf(followUp)).toHaveLength(1 + 25 + 13 + 49);
    const endless = `${"a ".repeat(500_000)}end`;
    expect(encoder.piecesOf(message(endless))).toEqual(encoder.piecesOf(message("a ".repeat(768))));
  });

  test("leaves out of a follow-up what is not there", () => {
    const before = "do you deliver";
    const pieces = encoder.piecesOf({ form: "followUp", before, text: "and on sundays?" })!;
    expect(pieces.filter((piece) => piece === 2)).toHaveLength(2);
    expect(encoder.piecesOf({ form: "followUp", before, subject: " ", text: "and on sundays?" })).toEqual(
      pieces,
    );
  });

  test("is opened once", () => {
    expect(openEncoder()).toBe(encoder);
  });
});

test("there is none where the processor or the runtime has no SIMD", () => {
  using validate = spyOn(WebAssembly, "validate").mockReturnValue(false);
  expect(Encoder.open(tinyWeights(1), TINY_VOCABULARY)).toBeUndefined();
  expect(validate).toHaveBeenCalledTimes(1);
});
