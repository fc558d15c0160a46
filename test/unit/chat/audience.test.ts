import { describe, expect, test } from "bun:test";

import { Audience } from "../../../src/chat/answer-message.ts";

const GRACE_MS = 20;

describe("an audience", () => {
  test("that has left for a while ends the answer", async () => {
    const audience = new Audience(GRACE_MS);
    const visitor = new AbortController();
    audience.join(visitor.signal);
    visitor.abort();
    expect(audience.signal.aborted).toBe(false);
    await Bun.sleep(3 * GRACE_MS);
    expect(audience.signal.aborted).toBe(true);
  });

  test("goes on as long as one of it is left", async () => {
    const audience = new Audience(0);
    const visitors = [new AbortController(), new AbortController()];
    for (const { signal } of visitors) audience.join(signal);
    visitors[0]!.abort();
    await Bun.sleep(10);
    expect(audience.signal.aborted).toBe(false);
    visitors[1]!.abort();
    await Bun.sleep(10);
    expect(audience.signal.aborted).toBe(true);
  });

  test("goes on for whoever comes back in time", async () => {
    const audience = new Audience(GRACE_MS);
    audience.join(AbortSignal.abort());
    audience.join(new AbortController().signal);
    await Bun.sleep(3 * GRACE_MS);
    expect(audience.signal.aborted).toBe(false);
  });

  test("cannot leave an answer that is there", async () => {
    const audience = new Audience(0);
    const visitor = new AbortController();
    audience.join(visitor.signal);
    audience.close();
    visitor.abort();
    await Bun.sleep(10);
    expect(audience.signal.aborted).toBe(false);
  });
});
