import { afterEach, beforeEach, describe, expect, jest, test } from "bun:test";

import { CallWatch } from "../../../../src/access/shared-buckets/bucket-connection.ts";

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

const pass = (milliseconds: number) => jest.advanceTimersByTime(milliseconds);

function watch(ticks = 3) {
  const told = { late: 0 };
  return { calls: new CallWatch(ticks, () => (told.late += 1)), told };
}

describe("the watch over calls", () => {
  test("tells once of a call that is not answered, and not before its time", () => {
    const { calls, told } = watch();
    calls.begin();
    pass(150);
    expect(told.late).toBe(0);
    pass(50);
    expect(told.late).toBe(1);
    pass(1000);
    expect(told.late).toBe(1);
  });

  test("tells of nothing while calls are answered, however many there are", () => {
    const { calls, told } = watch();
    for (let i = 0; i < 400; i++) {
      calls.begin();
      pass(10);
      calls.begin();
      calls.end();
      pass(1);
      calls.end();
    }
    expect(told.late).toBe(0);
  });

  test("tells of one call that waits while newer ones keep beginning", () => {
    const { calls, told } = watch();
    for (let i = 0; i < 60 && told.late === 0; i++) {
      calls.begin();
      pass(10);
    }
    expect(told.late).toBe(1);
  });
});

test("the watch over calls does not blame the server for a process that was held up itself", async () => {
  jest.useRealTimers();
  const { calls, told } = watch();
  calls.begin();
  await Bun.sleep(60);
  const until = performance.now() + 400;
  while (performance.now() < until);
  setTimeout(() => calls.end(), 0);
  await Bun.sleep(300);
  expect(told.late).toBe(0);
});
