import { expect, test } from "bun:test";

import { calibrationFor, TEXTS_OF_MANY } from "../../../../src/intent/calibration/calibration-for.ts";
import { estimateChances, SIGNALS, type Signals } from "../../../../src/intent/calibration/calibration.ts";

/** A text whose every word is known, and which leads clearly. */
const CLEAR: Signals = {
  ...(Object.fromEntries(SIGNALS.map((signal) => [signal, 0])) as Signals),
  bestProbability: 0.9,
  margin: 0.9,
  bestScore: 1,
  logSumOfScores: 1.2,
  knownWordShare: 1,
  wordShareOfBest: 1,
  featureWeightOfBest: 0.9,
  length: 0.5,
};
const UNKNOWN: Signals = {
  ...CLEAR,
  bestScore: 0.1,
  logSumOfScores: 0.3,
  margin: 0.05,
  bestProbability: 0.2,
  knownWordShare: 0.1,
  wordShareOfBest: 0.1,
  featureWeightOfBest: 0.1,
};

test.each([
  ["one intent of four examples", 1, 4],
  ["twelve intents of five examples", 12, 60],
  ["many intents of many examples", 100, TEXTS_OF_MANY],
  ["fewer than six intents, however many their examples", 5, TEXTS_OF_MANY],
])("a bot of %s tells what it knows from what it does not", (_, intents, examples) => {
  const calibration = calibrationFor(intents, examples);
  const clear = estimateChances(CLEAR, 1, calibration);
  const unknown = estimateChances(UNKNOWN, 1, calibration);
  expect(clear.inScope).toBeGreaterThan(calibration.matchThreshold);
  expect(unknown.inScope).toBeLessThan(calibration.matchThreshold);
  expect(clear.confidence).toBeLessThanOrEqual(clear.inScope);
});

test("only a bot of few examples is asked whether a message's subject is covered", () => {
  expect(calibrationFor(12, 60).coverageNeeded).toBeGreaterThan(0);
  expect(calibrationFor(12, TEXTS_OF_MANY).coverageNeeded).toBe(0);
});
