import { describe, expect, test } from "bun:test";

import { CountBehind } from "../../../src/store/count-behind.ts";
import type { Analytics, CountingStep } from "../../../src/store/interface/analytics.ts";

type Health = ConstructorParameters<typeof CountBehind>[0]["store"]["health"];

/** A store with as many turns to count, which takes some time for each. */
class Backlog {
  left: number;
  readonly steps: number[] = [];
  failing = false;
  readonly #msPerTurn: number;

  constructor(turns: number, msPerTurn = 0) {
    this.left = turns;
    this.#msPerTurn = msPerTurn;
  }

  readonly health: Health = { failure: undefined, assertSound: () => {}, noticeFailure: () => {} };

  get analytics(): Analytics {
    const countTurns = async (most: number): Promise<CountingStep> => {
      if (this.failing) throw new Error("disk");
      const counted = Math.min(most, this.left);
      if (counted > 0) this.steps.push(counted);
      const end = performance.now() + counted * this.#msPerTurn;
      while (performance.now() < end);
      this.left -= counted;
      return { counted, mayGoOn: counted === most };
    };
    return {
      countTurns,
      countingState: async () => ({ share: 0.5, openSince: undefined }),
    } as unknown as Analytics;
  }
}

const lines: string[] = [];
const log = {
  info: (_: unknown, message?: string) => void lines.push(message ?? String(_)),
  error: (_: unknown, message?: string) => void lines.push(message ?? String(_)),
};

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await Bun.sleep(1);
}

describe("counting behind", () => {
  test("counts all there is, in steps that grow where turns cost little", async () => {
    const store = new Backlog(3000);
    using _ = new CountBehind({ store, log, everyMs: 1 });
    await until(() => store.left === 0);
    expect(store.steps[0]).toBe(20);
    expect(Math.max(...store.steps)).toBeGreaterThan(100);
  });

  test("takes smaller steps where turns cost much, so that messages wait no longer", async () => {
    const store = new Backlog(100, 2);
    using _ = new CountBehind({ store, log, everyMs: 1 });
    await until(() => store.left === 0);
    expect(store.steps.at(-2)).toBeLessThan(10);
  });

  test("counts a step for somebody who is about to look", async () => {
    const store = new Backlog(5);
    using counting = new CountBehind({ store, log, everyMs: 1_000_000 });
    await counting.catchUp();
    expect(store.left).toBe(0);
  });

  test("logs a failure, and goes on at the next look", async () => {
    const store = new Backlog(5);
    store.failing = true;
    using _ = new CountBehind({ store, log, everyMs: 1 });
    await until(() => lines.some((line) => line.includes("could not be counted")));
    store.failing = false;
    await until(() => store.left === 0);
  });

  test("ends where it is told to", async () => {
    const store = new Backlog(10_000, 0.05);
    const counting = new CountBehind({ store, log, everyMs: 1 });
    await until(() => store.steps.length > 1);
    counting[Symbol.dispose]();
    await Bun.sleep(20);
    const { left } = store;
    await Bun.sleep(50);
    expect(store.left).toBe(left);
  });
});
