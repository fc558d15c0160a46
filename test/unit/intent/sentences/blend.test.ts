import { describe, expect, test } from "bun:test";

import { blendProbabilities } from "../../../../src/intent/sentences/blend.ts";

const total = (values: Iterable<number>) => [...values].reduce((sum, value) => sum + value, 0);

describe("a blend", () => {
  test("is of probabilities, and adds up to 1", () => {
    expect(total(blendProbabilities([0.7, 0.2, 0.1], [0.1, 0.8, 0.1]))).toBeCloseTo(1, 12);
  });

  test("follows the encoder where the classifier knows no word", () => {
    const [first, second, third] = blendProbabilities([0.3, 0.2, 0.1], undefined);
    expect(first! > second! && second! > third!).toBe(true);
  });

  test("is surer where both agree than where they do not", () => {
    const agreeing = blendProbabilities([0.12, 0.1], [0.9, 0.1])[0]!;
    const alone = blendProbabilities([0.12, 0.1], undefined)[0]!;
    const opposed = blendProbabilities([0.12, 0.1], [0.1, 0.9])[0]!;
    expect(agreeing > alone && alone > opposed).toBe(true);
  });

  test("lets the classifier rule no intent out", () => {
    expect(blendProbabilities([0.2, 0], [0, 1])[0]).toBeGreaterThan(0.9);
  });
});
