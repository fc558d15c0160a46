import { describe, expect, test } from "bun:test";

import type { ChatResponse } from "../../../src/domain/chat.ts";
import { streamAnswer } from "../../../src/http/event-stream.ts";

const OPENING = { conversationId: "cv_1", capabilityAllowed: true };
const RESPONSE: ChatResponse = {
  conversationId: "cv_1",
  response: "Hi.",
  metadata: { capabilityAllowed: true, schemaEnforced: false, schemaFallbackUsed: false },
};
const options = {
  left: new AbortController().signal,
  describeError: () => ({ code: "MODEL_ERROR" }),
  onError: () => {},
};

describe("an answer in a stream", () => {
  test("is kept alive by comments while the model thinks", async () => {
    const answer = await streamAnswer(
      async (_, follower) => {
        follower?.decided(OPENING);
        await Bun.sleep(40);
        return RESPONSE;
      },
      { ...options, heartbeatMs: 5 },
    );
    const text = await answer.text();
    expect(text).toMatch(/^event: meta\n.*\n\n(: .*\n\n){2,}event: done\n/);
  });

  test("tells who is answering that the reader has cancelled", async () => {
    const left = Promise.withResolvers<void>();
    const { body } = await streamAnswer(async (leaving, follower) => {
      leaving.addEventListener("abort", () => left.resolve());
      follower?.decided(OPENING);
      await left.promise;
      follower?.said("to nobody");
      return RESPONSE;
    }, options);
    await body!.cancel();
    await left.promise;
  });

  test("throws what happens before the decision", async () => {
    const failing = streamAnswer(() => Promise.reject(new Error("too early")), options);
    expect(await failing.catch((error: unknown) => error)).toEqual(new Error("too early"));
  });
});
