import { describe, expect, test } from "bun:test";

import { PassageVectors } from "../../../src/bots/passage-vectors.ts";
import { type EncoderInput, packTextVectors } from "../../../src/intent/classifier.ts";
import type { Passage } from "../../../src/knowledge/passage.ts";
import type { PassageMeaning } from "../../../src/knowledge/weigh-passages.ts";

const NUMBERS = 384;
const vector = (place: number) => new Float32Array(NUMBERS).fill(1, place, place + 1);
const STORED = vector(0);
const ENCODED = vector(1);

const passage = (title: string, body: string): Passage => ({ documentId: "d", title, headingPath: [], body });
const PASSAGES = new Map([
  [1, passage("Stored", "Twice.")],
  [2, passage("New", "It opens at nine. It closes at five.")],
]);

/** Rounded to a byte a number, a cosine of 1 is nearly that. */
function cosinesTo(reading: Float32Array, meaning: PassageMeaning) {
  const { whole, sentences } = meaning.cosinesTo(reading);
  return { whole: whole.map(Math.round), sentences: sentences.map(Math.round) };
}

/** Of passage 1 its heading and its window are stored; of no other is anything. Passage 3 is gone. */
function counted(more: { encodesMissing?: true } = {}) {
  const asked: string[] = [];
  const looked: number[] = [];
  const read: number[][] = [];
  const encoder = {
    encode: async ({ form, text }: EncoderInput) => {
      asked.push(`${form}: ${text}`);
      return ENCODED;
    },
  };
  const store = {
    findPassageVectors: async (id: number) => {
      looked.push(id);
      const texts = ["Stored", "Stored. Twice."].map((text) => [text, STORED] as const);
      return id === 1 || id === 3 ? packTextVectors(new Map(texts)) : undefined;
    },
  };
  const reading = {
    language: "en",
    read: async (ids: readonly number[]) => {
      read.push([...ids]);
      return new Map([...PASSAGES].filter(([id]) => ids.includes(id)));
    },
  };
  const vectors = new PassageVectors({ store, encoder, ...more });
  return { asked, looked, read, find: (...ids: number[]) => vectors.ofPassages(ids, reading) };
}

describe("what a passage means", () => {
  test("is as it is stored, and is looked up and read once", async () => {
    const { asked, looked, read, find } = counted();
    await find(1);
    const found = await find(1);
    expect(cosinesTo(STORED, found.get(1)!)).toEqual({ whole: [1, 1], sentences: [] });
    expect(cosinesTo(ENCODED, found.get(1)!)).toEqual({ whole: [0, 0], sentences: [] });
    expect({ asked, looked, read }).toEqual({ asked: [], looked: [1], read: [[1]] });
  });

  test("is left out where the passage is gone", async () => {
    const { find } = counted();
    expect([...(await find(1, 3)).keys()]).toEqual([1]);
  });

  test("is not known to a server before the encoder has read the passage", async () => {
    const { asked, find } = counted();
    await expect(find(2)).rejects.toThrow("yet to read");
    expect(asked).toEqual([]);
  });

  test("is encoded by a command where it is not stored, which is looked up once", async () => {
    const { asked, looked, find } = counted({ encodesMissing: true });
    await find(2, 1);
    const found = await find(2, 1);
    expect(cosinesTo(ENCODED, found.get(2)!)).toEqual({ whole: [1, 1], sentences: [1, 1] });
    expect(asked).toEqual(
      [
        "New",
        "New. It opens at nine. It closes at five.",
        "New. It opens at nine.",
        "New. It closes at five.",
      ].map((text) => `passage: ${text}`),
    );
    expect(looked).toEqual([2, 1]);
  });
});
