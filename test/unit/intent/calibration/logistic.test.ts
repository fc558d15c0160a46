import { expect, test } from "bun:test";

import { chanceOf } from "../../../../src/intent/calibration/calibration.ts";
import { seededRandom } from "../../../../src/intent/training/random.ts";
import { fitLogistic, type Trial } from "../../../bench/intent/fit-logistic.ts";

const TRUTH = Float64Array.of(2, -1, 0.5);

function trialsOf(count: number): Trial[] {
  const random = seededRandom(1);
  return Array.from({ length: count }, () => {
    const inputs = Float64Array.of(4 * random() - 2, 4 * random() - 2);
    return { inputs, happened: random() < chanceOf(inputs, TRUTH), weight: 1 };
  });
}

test("finds the coefficients that made the outcomes", () => {
  const found = fitLogistic(trialsOf(20_000), new Float64Array(3), 0);
  found.forEach((value, i) => expect(Math.abs(value - TRUTH[i]!)).toBeLessThan(0.1));
});

test("stays near its centre where outcomes are few", () => {
  const centre = Float64Array.of(1, 1, 1);
  const found = fitLogistic(trialsOf(5), centre, 100);
  found.forEach((value) => expect(Math.abs(value - 1)).toBeLessThan(0.05));
});

test("stays finite where the outcomes could be told apart for certain", () => {
  const trials = [-2, -1, 1, 2].map((x) => ({ inputs: Float64Array.of(x), happened: x > 0, weight: 1 }));
  const found = fitLogistic(trials, Float64Array.of(50, -30), 1e-4);
  expect(found.every(Number.isFinite)).toBe(true);
  expect(chanceOf(Float64Array.of(2), found)).toBeGreaterThan(0.9);
  expect(chanceOf(Float64Array.of(-2), found)).toBeLessThan(0.1);
});
