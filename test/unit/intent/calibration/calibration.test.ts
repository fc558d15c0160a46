import { describe, expect, test } from "bun:test";

import {
  estimateChances,
  trustIn,
  type Signal,
  SIGNALS,
  type Signals,
} from "../../../../src/intent/calibration/calibration.ts";

const NO_SIGNALS = Object.fromEntries(SIGNALS.map((signal) => [signal, 0])) as Signals;

/** A model that goes by one signal and a constant. */
function goingBy(signal: Signal, constant = 0): Float64Array {
  const coefficients = new Float64Array(SIGNALS.length + 1);
  coefficients[SIGNALS.indexOf(signal)] = 1;
  coefficients[SIGNALS.length] = constant;
  return coefficients;
}

describe("estimated chances", () => {
  const calibration = {
    inScope: goingBy("bestScore"),
    correct: goingBy("margin", 1),
    matchThreshold: 0.5,
    coverageNeeded: 0.4,
  };

  test("go by the signals that their coefficients name", () => {
    const { inScope } = estimateChances({ ...NO_SIGNALS, bestScore: Math.log(3) }, 1, calibration);
    expect(inScope).toBeCloseTo(3 / 4, 12);
    const { confidence } = estimateChances({ ...NO_SIGNALS, margin: -1 - Math.log(3) }, 1, calibration);
    expect(confidence).toBeCloseTo(1 / 4, 12);
  });

  test("never hold the best intent likelier than being in scope", () => {
    const { inScope, confidence } = estimateChances({ ...NO_SIGNALS, margin: 9 }, 1, calibration);
    expect([inScope, confidence]).toEqual([0.5, 0.5]);
  });

  test("sink where too little of the subject is covered", () => {
    const { inScope, confidence } = estimateChances({ ...NO_SIGNALS, margin: 9 }, 0, calibration);
    expect(inScope).toBeCloseTo(0.05, 12);
    expect(confidence).toBeCloseTo(0.05, 12);
  });
});

describe("trust", () => {
  test("is whole from the coverage that is needed on, and where none is", () => {
    expect(trustIn(0.5, 0.4)).toBe(1);
    expect(trustIn(0, 0)).toBe(1);
  });

  test("grows with coverage, and leaves a little where there is none", () => {
    expect(trustIn(0, 0.4)).toBe(0.1);
    expect(trustIn(0.2, 0.4)).toBeCloseTo(0.6);
  });
});
