import { describe, expect, test } from "bun:test";

import { PassageVectors } from "../../../src/bots/passage-vectors.ts";
import { type EncoderInput, packTextVectors } from "../../../src/intent/classifier.ts";

const NUMBERS = 384;
const vector = (first: number) => new Float32Array(NUMBERS).fill(1 / NUMBERS).fill(first, 0, 1);

/** Passage 1 is stored with the text "stored"; of no other is anything. */
function counted(more: { encodesMissing?: true } = {}) {
  const asked: string[] = [];
  const looked: number[] = [];
  const encoder = {
    encode: async ({ form, text }: EncoderInput) => {
      asked.push(`${form}: ${text}`);
      return vector(0.5);
    },
  };
  const store = {
    findPassageVectors: async (passage: number) => {
      looked.push(passage);
      return passage === 1 ? packTextVectors(new Map([["stored", vector(1)]])) : undefined;
    },
  };
  return { asked, looked, vectors: new PassageVectors({ store, encoder, ...more }) };
}

describe("what a passage means", () => {
  test("is as it is stored; a text that is not among that is encoded", async () => {
    const { asked, vectors } = counted();
    expect((await vectors.find("stored", [1]))![0]).toBeCloseTo(1, 1);
    expect((await vectors.find("other", [1]))![0]).toBeCloseTo(0.5, 1);
    expect(asked).toEqual(["passage: other"]);
  });

  test("is not known to a server before the encoder has read the passage", async () => {
    const { asked, vectors } = counted();
    await expect(vectors.find("new", [2])).rejects.toThrow("yet to read");
    expect(asked).toEqual([]);
  });

  test("is encoded by a command where it is not stored, which is looked up once", async () => {
    const { asked, looked, vectors } = counted({ encodesMissing: true });
    await vectors.find("new", [2]);
    await vectors.find("new", [2]);
    await vectors.find("newer", [2]);
    await vectors.find("stored", [1]);
    expect(asked).toEqual(["passage: new", "passage: newer"]);
    expect(looked).toEqual([2, 1]);
  });
});
