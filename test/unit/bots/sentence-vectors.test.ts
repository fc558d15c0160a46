import { expect, test } from "bun:test";

import { SentenceVectors } from "../../../src/bots/sentence-vectors.ts";
import type { EncoderInput } from "../../../src/intent/classifier.ts";

const NUMBERS = 384;

function counted(mostBytes?: number) {
  const asked: string[] = [];
  const encoder = {
    encode: async ({ form, text }: EncoderInput) => {
      asked.push(`${form}: ${text}`);
      if (text === "fails") throw new Error("gone");
      return text === "" ? undefined : new Float32Array(NUMBERS).fill(1);
    },
  };
  return { asked, vectors: new SentenceVectors(encoder, mostBytes) };
}

test("what a passage's text means is encoded once", async () => {
  const { asked, vectors } = counted();
  await Promise.all([vectors.find("a"), vectors.find("a")]);
  await vectors.find("a");
  expect(asked).toEqual(["passage: a"]);
  await vectors.find("b");
  expect(asked).toEqual(["passage: a", "passage: b"]);
});

test("no more is kept than there is room for", async () => {
  const { asked, vectors } = counted(2.5 * 4 * NUMBERS);
  for (const text of ["a", "b", "c", "b", "a"]) await vectors.find(text);
  expect(asked).toEqual(["a", "b", "c", "a"].map((text) => `passage: ${text}`));
});

test("what fails, or has no meaning, is asked anew", async () => {
  const { asked, vectors } = counted();
  for (let i = 0; i < 2; i++) {
    expect(await vectors.find("")).toBeUndefined();
    await expect(vectors.find("fails")).rejects.toThrow("gone");
  }
  expect(asked).toEqual(["", "fails", "", "fails"].map((text) => `passage: ${text}`));
});
