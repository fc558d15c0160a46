import { afterEach, beforeEach, expect, jest, test } from "bun:test";

import { waitAtMost } from "../../../src/domain/waiting.ts";

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

test("work that is done leaves no timer behind", async () => {
  await waitAtMost(Promise.resolve(), 1000);
  expect(jest.getTimerCount()).toBe(0);
});

test("work that fails is told, and leaves no timer behind", async () => {
  await expect(waitAtMost(Promise.reject(new Error("a fault")), 1000)).rejects.toThrow("a fault");
  expect(jest.getTimerCount()).toBe(0);
});

test("work that takes longer is not waited for", async () => {
  const waiting = waitAtMost(new Promise(() => {}), 1000);
  expect(jest.getTimerCount()).toBe(1);
  jest.advanceTimersByTime(1000);
  await waiting;
});
