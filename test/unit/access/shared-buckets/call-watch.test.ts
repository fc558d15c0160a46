import { describe, expect, test } from "bun:test";

import { CallWatch } from "../../../../src/access/shared-buckets/call-watch.ts";

function watch(ticks = 3) {
  const late: number[] = [];
  const startedAt = performance.now();
  return { watch: new CallWatch(ticks, () => late.push(performance.now() - startedAt)), late };
}

describe("the watch over calls", () => {
  test("tells once of a call that is not answered", async () => {
    const { watch: calls, late } = watch();
    calls.begin();
    await Bun.sleep(500);
    expect(late.length).toBe(1);
    expect(late[0]).toBeGreaterThanOrEqual(150);
  });

  test("tells of nothing while calls are answered, however many there are", async () => {
    const { watch: calls, late } = watch();
    for (let i = 0; i < 40; i++) {
      calls.begin();
      await Bun.sleep(10);
      calls.begin();
      calls.end();
      await Bun.sleep(1);
      calls.end();
    }
    expect(late).toEqual([]);
  });

  test("tells of one call that waits while newer ones keep beginning", async () => {
    const { watch: calls, late } = watch();
    for (let i = 0; i < 60 && late.length === 0; i++) {
      calls.begin();
      await Bun.sleep(10);
    }
    expect(late.length).toBe(1);
  });

  test("does not blame the server for a process that was held up itself", async () => {
    const { watch: calls, late } = watch();
    calls.begin();
    await Bun.sleep(60);
    const until = performance.now() + 400;
    while (performance.now() < until);
    setTimeout(() => calls.end(), 0);
    await Bun.sleep(300);
    expect(late).toEqual([]);
  });
});
