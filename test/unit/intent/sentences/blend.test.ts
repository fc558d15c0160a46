import { describe, expect, test } from "bun:test";

import type { Signals } from "../../../../src/intent/calibration/calibration.ts";
import { blendProbabilities } from "../../../../src/intent/sentences/blend.ts";

const total = (values: Iterable<number>) => [...values].reduce((sum, value) => sum + value, 0);

/** What a classifier says that knows this share of a message's words. */
const said = (probabilities: readonly number[], knownWordShare = 1) => ({
  probabilities: Float64Array.from(probabilities),
  signals: { knownWordShare } as Signals,
});
/** The probability of the first of two intents. */
const firstOf = (sums: readonly number[], evidence?: ReturnType<typeof said>, textsPerIntent = 7) =>
  blendProbabilities({ sums, textsPerIntent, evidence })[0]!;

describe("a blend", () => {
  test("is of probabilities, and adds up to 1", () => {
    expect(
      total(
        blendProbabilities({ sums: [0.7, 0.2, 0.1], textsPerIntent: 7, evidence: said([0.1, 0.8, 0.1]) }),
      ),
    ).toBeCloseTo(1, 12);
  });

  test("follows the encoder where the classifier knows no word", () => {
    const [first, second, third] = blendProbabilities({
      sums: [0.3, 0.2, 0.1],
      textsPerIntent: 7,
      evidence: undefined,
    });
    expect(first! > second! && second! > third!).toBe(true);
  });

  test("is surer where both agree than where they do not", () => {
    const sums = [0.12, 0.1];
    const [agreeing, alone, opposed] = [said([0.9, 0.1]), undefined, said([0.1, 0.9])].map((evidence) =>
      firstOf(sums, evidence),
    );
    expect(agreeing! > alone! && alone! > opposed!).toBe(true);
  });

  test("listens to the classifier the less, the fewer words it knows", () => {
    const chances = [0, 0.3, 0.6, 1].map((known) => firstOf([0.1, 0.1], said([0.9, 0.1], known)));
    expect(chances).toEqual(chances.toSorted((a, b) => a - b));
    expect(chances[0]).toBeCloseTo(0.5, 6);
  });

  test("listens to the encoder the less, the more texts there are", () => {
    const chances = [2, 7, 30, 500].map((texts) => firstOf([0.3, 0.1], said([0.1, 0.9]), texts));
    expect(chances).toEqual(chances.toSorted((a, b) => b - a));
    expect(chances[0]).toBeGreaterThan(chances[3]! + 0.1);
  });

  test("lets the classifier rule no intent out", () => {
    expect(firstOf([0.2, 0], said([0, 1]))).toBeGreaterThan(0.9);
  });
});
