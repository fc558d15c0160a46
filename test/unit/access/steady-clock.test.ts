import { describe, expect, test } from "bun:test";

import * as fc from "fast-check";

import { steadyClock } from "../../../src/access/token-bucket.ts";

const readingsOf = (sequence: number[]) => {
  const source = sequence.values();
  const clock = steadyClock(() => source.next().value!);
  return sequence.slice(1).map(() => clock());
};

describe("the steady clock", () => {
  test("counts whole milliseconds", () => {
    expect(readingsOf([5.9, 6.1, 6.9, 7])).toEqual([6, 6, 7]);
  });

  test("stands still through a small step back", () => {
    expect(readingsOf([5000, 4500, 4999, 5000, 5001])).toEqual([5000, 5000, 5000, 5001]);
  });

  test("goes on from where it was after a great step back", () => {
    expect(readingsOf([5_000_000, 1000, 1001, 1500, 500])).toEqual([
      5_000_000, 5_000_001, 5_000_500, 5_000_500,
    ]);
  });

  test("never runs backwards", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 10_000 }), { minLength: 2 }), (sequence) => {
        const readings = readingsOf(sequence);
        expect(readings).toEqual(readings.toSorted((a, b) => a - b));
      }),
    );
  });
});
