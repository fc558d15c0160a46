import { expect, test } from "bun:test";

import { CallStats } from "../../../src/model/model-fleet.ts";

const call = (milliseconds: number, outcome: "ok" | "timeout" | "unavailable" = "ok") => ({
  server: "a",
  outcome,
  milliseconds,
});

test("calls are counted, and failures by themselves", () => {
  const stats = new CallStats();
  expect(stats.percentileMs(0.5)).toBeUndefined();
  for (const outcome of ["ok", "timeout", "ok", "unavailable"] as const) stats.note(call(1, outcome));
  expect([stats.calls, stats.failures]).toEqual([4, 2]);
});

test("percentiles are of the latest 500 calls", () => {
  const stats = new CallStats();
  for (let i = 0; i < 1000; i += 1) stats.note(call(9000));
  for (let i = 1; i <= 500; i += 1) stats.note(call(i));
  expect([stats.percentileMs(0.5), stats.percentileMs(0.95), stats.percentileMs(1)]).toEqual([250, 475, 500]);
});
