import { afterEach, expect, jest, test } from "bun:test";

import { readEvents } from "../../../src/client/read-events.ts";

afterEach(() => void jest.useRealTimers());

test("a body that is silent for 45 seconds has ended, and its connection is closed; a heartbeat is no silence", async () => {
  jest.useFakeTimers();
  const cancelled = Promise.withResolvers<void>();
  let controller!: ReadableStreamDefaultController<Uint8Array>;
  const body = new ReadableStream<Uint8Array>({
    start: (given) => void (controller = given),
    cancel: () => cancelled.resolve(),
  });
  const send = (text: string) => controller.enqueue(new TextEncoder().encode(text));
  const events = readEvents(body);
  const settled: string[] = [];
  /** Until the reader waits again. */
  const turn = () => new Promise<void>((resolve) => void setImmediate(resolve));

  const first = events.next();
  send(": still here\n\n");
  await turn();
  jest.advanceTimersByTime(44_999);
  send("data: one\n\n");
  expect((await first).value).toEqual({ event: "message", data: "one" });

  const second = events.next().then(() => settled.push("ended"));
  await turn();
  jest.advanceTimersByTime(44_999);
  await turn();
  expect(settled).toEqual([]);
  jest.advanceTimersByTime(1);
  await second;
  await cancelled.promise;
});
