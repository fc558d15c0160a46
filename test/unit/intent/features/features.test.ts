import { describe, expect, test } from "bun:test";

import { FeatureBuffer } from "../../../../src/intent/features/features.ts";
import { normaliseText } from "../../../../src/text/normalise.ts";
import { TokenBuffer } from "../../../../src/text/tokenise.ts";

function read(text: string): FeatureBuffer {
  const tokens = new TokenBuffer();
  tokens.read(normaliseText(text));
  const features = new FeatureBuffer();
  features.read(tokens);
  features.markWords();
  return features;
}

function hashesOf(features: FeatureBuffer, words: number, [from, to]: readonly [number, number]): number[] {
  return [...features.hashes.subarray(from, to)].filter((_, i) => features.wordBits[from + i] === words);
}

const wordsAndGrams = ({ groupEnds }: FeatureBuffer) =>
  [
    [0, groupEnds[0]!],
    [groupEnds[1]!, groupEnds[2]!],
  ] as const;

describe("the words of a feature", () => {
  test("are those that it would be made of alone", () => {
    const phrase = ["cancel", "my", "subscription", "today"];
    const whole = read(phrase.join(" "));
    phrase.forEach((word, t) => {
      const alone = read(word);
      wordsAndGrams(whole).forEach((range, part) => {
        const expected = hashesOf(alone, 1, wordsAndGrams(alone)[part]!);
        expect(expected.length).toBeGreaterThan(0);
        expect(hashesOf(whole, 1 << t, range)).toEqual(expected);
      });
    });
  });

  test("are two for a pair, and one at either end", () => {
    const { wordBits, groupEnds } = read("where is it");
    expect([...wordBits.subarray(groupEnds[0], groupEnds[1])]).toEqual([0b001, 0b011, 0b110, 0b100]);
  });

  test("share the last bit from the 32nd on", () => {
    const { wordBits, groupEnds } = read(Array.from({ length: 40 }, (_, i) => `word${i}`).join(" "));
    expect([...wordBits.subarray(30, groupEnds[0])]).toEqual([
      1 << 30,
      ...Array.from({ length: 9 }, () => 1 << 31),
    ]);
  });

  test("are none in an empty text", () => {
    expect(read("").groupEnds).toEqual(new Int32Array(3));
  });
});
