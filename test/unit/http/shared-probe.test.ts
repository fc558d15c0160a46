import { expect, test } from "bun:test";

import { sharedProbe } from "../../../src/http/health.ts";

function probeWithClock() {
  const state = { nowMs: 0, runs: 0, failure: undefined as Error | undefined };
  const probe = sharedProbe(
    async () => {
      state.runs += 1;
      if (state.failure) throw state.failure;
    },
    1000,
    () => state.nowMs,
  );
  return { state, probe };
}

test("a probe runs once a second, however often anybody asks", async () => {
  const { state, probe } = probeWithClock();
  for (; state.nowMs < 3000; state.nowMs += 100) await Promise.all([probe(), probe(), probe()]);
  expect(state.runs).toBe(3);
});

test("a failure is told to all who ask within the second, and no longer", async () => {
  const { state, probe } = probeWithClock();
  state.failure = new Error("disk full");
  for (const nowMs of [0, 999]) {
    state.nowMs = nowMs;
    await expect(probe()).rejects.toThrow("disk full");
  }
  state.failure = undefined;
  state.nowMs = 1000;
  await probe();
  expect(state.runs).toBe(2);
});
