import { describe, expect, test } from "bun:test";

import type { ChatResponse } from "../../../src/domain/chat.ts";
import { AnswerStream } from "../../../src/http/answer-stream.ts";

const OPENING = { conversationId: "cv_1", capabilityAllowed: true };
const RESPONSE: ChatResponse = {
  conversationId: "cv_1",
  response: "Hi.",
  metadata: { capabilityAllowed: true, schemaEnforced: false, schemaFallbackUsed: false },
};

const COMMENTS = /(^: .*\n\n){2}/m;

function openStream(heartbeatMs?: number): AnswerStream {
  return new AnswerStream(new AbortController().signal, {
    describe: () => ({ code: "MODEL_ERROR" }),
    report: () => {},
    ...(heartbeatMs !== undefined && { heartbeatMs }),
  });
}

describe("an answer in a stream", () => {
  test("is kept alive by comments while the model thinks", async () => {
    const stream = openStream(5);
    stream.decided(OPENING);
    const answer = Promise.withResolvers<ChatResponse>();
    const { body } = await stream.send(answer.promise);
    let text = "";
    for await (const piece of body!.pipeThrough(new TextDecoderStream())) {
      text += piece;
      if (COMMENTS.test(text)) answer.resolve(RESPONSE);
    }
    expect(text).toMatch(/^event: meta\n.*\n\n(: .*\n\n){2,}event: done\n/);
  });

  test("tells who is answering that the reader has cancelled", async () => {
    const stream = openStream();
    stream.decided(OPENING);
    const { left } = stream.listener;
    const answer = Promise.withResolvers<ChatResponse>();
    const { body } = await stream.send(answer.promise);
    expect(left.aborted).toBe(false);
    await body!.cancel();
    expect(left.aborted).toBe(true);
    stream.said("to nobody");
    answer.resolve(RESPONSE);
  });

  test("throws what happens before the decision", async () => {
    const sending = openStream().send(Promise.reject(new Error("too early")));
    expect(await sending.catch((error: unknown) => error)).toEqual(new Error("too early"));
  });

  test("that was there already is told from the beginning", async () => {
    const response = await openStream().send(Promise.resolve(RESPONSE));
    const events = [...(await response.text()).matchAll(/^event: (\w+)$/gm)];
    expect(events.map(([, name]) => name)).toEqual(["meta", "delta", "done"]);
  });
});
