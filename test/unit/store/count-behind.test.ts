import { describe, expect, test } from "bun:test";

import { CountBehind } from "../../../src/store/count-behind.ts";
import type { CountingStep } from "../../../src/store/interface/analytics.ts";
import type { Analytics } from "../../../src/store/interface/store.ts";

type Health = ConstructorParameters<typeof CountBehind>[0]["store"]["health"];

/** A store with as many turns to count, which takes some time for each. */
class Backlog {
  left: number;
  readonly steps: number[] = [];
  failing = false;
  attempts = 0;
  /** Steps that have ended. */
  ended = 0;
  readonly #msPerTurn: number;
  readonly #waitMs: number;

  /** @param waitMs how long each step waits for its turn to write. */
  constructor(turns: number, msPerTurn = 0, waitMs = 0) {
    this.left = turns;
    this.#msPerTurn = msPerTurn;
    this.#waitMs = waitMs;
  }

  readonly health: Health = {
    failure: undefined,
    assertSound: () => {},
    assertWriting: () => {},
    noticeFailure: () => {},
  };

  get analytics(): Analytics {
    const countTurns = async (most: number): Promise<CountingStep> => {
      this.attempts += 1;
      if (this.failing) throw new Error("disk");
      const counted = Math.min(most, this.left);
      if (counted > 0) this.steps.push(counted);
      await Bun.sleep(this.#waitMs);
      const startedAt = performance.now();
      while (performance.now() < startedAt + counted * this.#msPerTurn);
      this.left -= counted;
      this.ended += 1;
      return { counted, mayGoOn: counted === most, tookMs: performance.now() - startedAt };
    };
    return {
      countTurns,
      countingPace: { stepMs: 3, mostTurns: 400, pauses: 3 },
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

  test("does not take smaller steps where it waits long for its turn to write", async () => {
    const store = new Backlog(2000, 0, 10);
    using _ = new CountBehind({ store, log, everyMs: 1 });
    await until(() => store.left === 0);
    expect(Math.max(...store.steps)).toBeGreaterThan(300);
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

  test("logs a failure that lasts once, and one that comes again", async () => {
    const store = new Backlog(5);
    using _ = new CountBehind({ store, log, everyMs: 1 });
    for (let outages = 1; outages <= 2; outages += 1) {
      lines.length = 0;
      const before = store.attempts;
      store.failing = true;
      await until(() => store.attempts > before + 10);
      store.failing = false;
      store.left = 5;
      await until(() => store.left === 0);
      expect(lines.filter((line) => line.includes("could not be counted"))).toHaveLength(1);
    }
  });

  test("ends where it is told to", async () => {
    const store = new Backlog(10_000, 0.05);
    const counting = new CountBehind({ store, log, everyMs: 1 });
    await until(() => store.steps.length > 1);
    counting[Symbol.dispose]();
    // A step that is under way ends; none follows.
    const { attempts } = store;
    await until(() => store.ended === attempts);
    await Bun.sleep(50);
    expect(store.attempts).toBe(attempts);
  });
});
