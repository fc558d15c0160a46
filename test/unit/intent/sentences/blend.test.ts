import { describe, expect, test } from "bun:test";

import { blendProbabilities } from "../../../../src/intent/sentences/blend.ts";

const sum = (values: Iterable<number>) => [...values].reduce((total, value) => total + value, 0);

describe("a blend", () => {
  test("is of probabilities, and adds up to 1", () => {
    expect(sum(blendProbabilities([0.7, 0.2, 0.1], [0.1, 0.8, 0.1], 5))).toBeCloseTo(1, 12);
  });

  test("follows the encoder where the classifier knows no word", () => {
    const [first, second, third] = blendProbabilities([0.7, 0.2, 0.1], undefined, 5);
    expect(first! > second! && second! > third!).toBe(true);
  });

  test("follows both where they agree, and is surer than either", () => {
    expect(blendProbabilities([0.7, 0.3], [0.7, 0.3], 5)[0]).toBeGreaterThan(0.7);
  });

  test("listens to the encoder the less, the more examples there are", () => {
    const chances = [1, 5, 50, 500].map(
      (examples) => blendProbabilities([0.9, 0.1], [0.1, 0.9], examples)[0]!,
    );
    expect(chances).toEqual(chances.toSorted((a, b) => b - a));
    expect(chances[0]).toBeGreaterThan(chances[3]! + 0.1);
  });

  test("lets neither rule an intent out", () => {
    expect(blendProbabilities([0, 1], [1, 0], 5)[0]).toBeGreaterThan(0.1);
    expect(blendProbabilities([1, 0], [0, 1], 5)[0]).toBeGreaterThan(0.1);
  });
});
