import { expect, test } from "bun:test";

import { DescriptorWatch } from "../../../src/http/descriptor-watch.ts";
import { eventually } from "../../support/eventually.ts";

const LIMIT = 1024;
const PLENTY = 1000;
const MANY_TURNS = 20;
/** A turn of the loop takes as long at least, while it is braked. */
const BRAKE_MS = 5;

/** A watch over descriptors that are as free as is said. */
function watchOver(state: { free: number; idle: number }) {
  const told: string[] = [];
  const counts = { shortages: 0, shed: 0, looks: 0 };
  const watch = new DescriptorWatch({
    limit: LIMIT,
    log: {
      error: (_: object, text: string) => void told.push(text),
      info: (_: object, text: string) => void told.push(text),
    } as never,
    metrics: {
      descriptorShortages: { inc: () => void (counts.shortages += 1) },
      connectionsShed: { inc: (closed: number) => void (counts.shed += closed) },
    } as never,
    countFree: (enough) => {
      counts.looks += 1;
      return Math.min(enough, state.free);
    },
    closeIdleConnections: () => {
      const closed = state.idle;
      state.free += closed;
      state.idle = 0;
      return closed;
    },
  });
  return { watch, told, counts };
}

test("nothing is closed and nothing said while descriptors are free", () => {
  const { watch, told, counts } = watchOver({ free: PLENTY, idle: 5 });
  for (let at = 0; at < 100_000; at += 250) watch.look(at);
  expect({ told, shed: counts.shed }).toEqual({ told: [], shed: 0 });
});

test("idle connections are closed before the last descriptor is taken", () => {
  const state = { free: 3, idle: 500 };
  const { watch, counts } = watchOver(state);
  watch.look(0);
  expect(counts.shed).toBe(500);
  expect(state.free).toBe(503);
});

test("a shortage is said once, and its end once, however often it comes and goes in between", () => {
  const state = { free: PLENTY, idle: 0 };
  const { watch, told, counts } = watchOver(state);
  for (let at = 0; at < 40_000; at += 250) {
    state.free = at % 1000 === 0 ? 2 : PLENTY;
    watch.look(at);
  }
  state.free = PLENTY;
  expect(told).toEqual([expect.stringContaining("file descriptors run short")]);
  for (let at = 40_000; at < 200_000; at += 250) watch.look(at);
  expect(told).toEqual([expect.stringContaining("run short"), expect.stringContaining("free again")]);
  state.free = 2;
  watch.look(300_000);
  expect(told).toHaveLength(3);
  expect(counts.shortages).toBe(2);
});

test("while no descriptor is free, the event loop is braked, and goes on", async () => {
  const state = { free: 0, idle: 0 };
  const { watch, counts } = watchOver(state);
  watch.look(0);
  const before = counts.looks;
  const startedAt = performance.now();
  await eventually(() => counts.looks - before >= MANY_TURNS);
  const turns = counts.looks - before;
  const mostTurns = Math.ceil((performance.now() - startedAt) / BRAKE_MS) + 1;
  state.free = PLENTY;
  await Bun.sleep(50);
  const afterwards = counts.looks;
  await Bun.sleep(50);
  expect(turns).toBeLessThanOrEqual(mostTurns);
  expect(counts.looks).toBe(afterwards);
});
