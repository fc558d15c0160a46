import { describe, expect, test } from "bun:test";

import { areaUnderCurve, evaluatePredictions, type Prediction } from "../../../src/operate/evaluate.ts";

function prediction(
  expected: string | null,
  got: string | null,
  inScope: number,
  confidence = inScope,
): Prediction {
  return {
    text: `${expected} read as ${got}`,
    expected,
    got,
    inScope,
    confidence,
    isAccepted: inScope >= 0.5,
  };
}

const MIXED = [
  prediction("a", "a", 0.9),
  prediction("a", "a", 0.3),
  prediction("a", "b", 0.7),
  prediction("b", "b", 0.8),
  prediction(null, "a", 0.1),
  prediction(null, "b", 0.6),
];

describe("the evaluation of a classifier", () => {
  const evaluation = evaluatePredictions(MIXED);

  test("measures in-scope accuracy without and with rejection", () => {
    expect(evaluation.inScopeAccuracy).toBe(3 / 4);
    expect(evaluation.inScopeAccepted).toBe(2 / 4);
  });

  test("measures recall and precision of what is out of scope", () => {
    expect(evaluation.outOfScopeRecall).toBe(1 / 2);
    expect(evaluation.outOfScopePrecision).toBe(1 / 2);
  });

  test("counts a rejection and an acceptance in error as confusions", () => {
    expect(evaluation.confusions).toHaveLength(3);
    expect(evaluation.confusions).toContainEqual({
      expected: "a",
      got: null,
      count: 1,
      examples: ["a read as a"],
    });
    expect(evaluation.confusions).toContainEqual({
      expected: null,
      got: "b",
      count: 1,
      examples: ["null read as b"],
    });
  });

  test("measures each intent", () => {
    expect(evaluation.perIntent).toContainEqual({
      intent: "b",
      total: 1,
      recall: 1,
      precision: 1 / 3,
      accepted: 1,
    });
    expect(evaluation.perIntent).toContainEqual({
      intent: "a",
      total: 3,
      recall: 2 / 3,
      precision: 1,
      accepted: 1 / 3,
    });
  });

  test("has no rate where there is nothing to measure it on", () => {
    expect(evaluatePredictions([])).toMatchObject({
      total: 0,
      inScopeAccuracy: null,
      outOfScopeRecall: null,
    });
    expect(evaluatePredictions([prediction("a", "a", 1)]).outOfScopeAuroc).toBeNull();
  });
});

test("chances that come true have no calibration error, sure mistakes have all of it", () => {
  expect(
    evaluatePredictions([prediction("a", "a", 1), prediction(null, null, 0)]).expectedCalibrationError,
  ).toBe(0);
  expect(evaluatePredictions([prediction("a", "b", 1)]).expectedCalibrationError).toBe(1);
});

test.each([
  [[0.9, 0.8], [0.1, 0.2], 1],
  [[0.1], [0.9], 0],
  [[0.5, 0.5], [0.5], 0.5],
  [[0.9, 0.4], [0.6, 0.1], 0.75],
])("the area under the curve of %j over %j is %d", (positives, negatives, expected) => {
  expect(areaUnderCurve(positives, negatives)).toBeCloseTo(expected, 12);
});
