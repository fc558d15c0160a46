import { describe, expect, test } from "bun:test";

import type { ChatEvent } from "../../../src/client/public.d.ts";
import { answerBody, clientThatMeets, events } from "../../support/client-replies.ts";

const metaOf = (conversationId = "cv_1") => ["meta", { conversationId, capabilityAllowed: true }] as const;
const delta = (text: string) => ["delta", { text }] as const;
const doneWith = (response: string) => ["done", { ...answerBody, response }] as const;

/** Events of a stream in short: a meta as its conversation between brackets, then the texts, then the answer after `=`. */
const inShort = (told: readonly ChatEvent[]) =>
  told.map((event) => {
    if (event.type === "meta") return `[${event.conversationId}]`;
    return event.type === "delta" ? event.text : `=${event.answer.response}`;
  });

describe("an answer whose connection broke", () => {
  test.each([
    [
      "goes on where it broke, when the retry gets it whole",
      [metaOf(), delta("It is "), "cut"],
      [metaOf(), delta("It is on its way."), doneWith("It is on its way.")],
      ["[cv_1]", "It is ", "on its way.", "=It is on its way."],
    ],
    [
      "goes on where it broke, when the retry gets it in other pieces",
      [metaOf(), delta("It is "), "cut"],
      [metaOf(), delta("It"), delta(" is on i"), delta("ts way."), doneWith("It is on its way.")],
      ["[cv_1]", "It is ", "on i", "ts way.", "=It is on its way."],
    ],
    [
      "is told once, when only its end was lost",
      [metaOf(), delta("Yes."), "cut"],
      [metaOf(), delta("Yes."), doneWith("Yes.")],
      ["[cv_1]", "Yes.", "=Yes."],
    ],
    [
      "begins anew, when the retry gets another",
      [metaOf(), delta("It is "), ["error", { status: 502, code: "MODEL_ERROR" }]],
      [metaOf(), delta("It"), delta(" left."), doneWith("It left.")],
      ["[cv_1]", "It is ", "[cv_1]", "It left.", "=It left."],
    ],
    [
      "begins anew, when the retry gets a shorter one",
      [metaOf(), delta("It is "), "cut"],
      [metaOf(), delta("It"), doneWith("It")],
      ["[cv_1]", "It is ", "[cv_1]", "It", "=It"],
    ],
    [
      "begins anew in another conversation",
      [metaOf("cv_0"), delta("It "), "cut"],
      [metaOf(), delta("It is."), doneWith("It is.")],
      ["[cv_0]", "It ", "[cv_1]", "It is.", "=It is."],
    ],
    [
      "is asked for again, when it ended before it was whole",
      [metaOf()],
      [metaOf(), delta("Yes."), doneWith("Yes.")],
      ["[cv_1]", "Yes.", "=Yes."],
    ],
  ] as const)("%s", async (_, first, second, told) => {
    const { client, calls } = clientThatMeets([events(...first), events(...second)]);
    expect(inShort(await Array.fromAsync(client.stream("hi")))).toEqual([...told]);
    expect(calls[1]!.key).toBe(calls[0]!.key);
  });
});

test("a stream sends nothing before somebody reads it", async () => {
  const { client, calls } = clientThatMeets([events(metaOf(), doneWith(""))]);
  const stream = client.stream("hi");
  expect(calls).toHaveLength(0);
  await Array.fromAsync(stream);
  expect(calls).toHaveLength(1);
});

test("who leaves a stream early closes its connection", async () => {
  const cancelled = Promise.withResolvers<void>();
  const body = new ReadableStream<Uint8Array>({
    start: (controller) =>
      controller.enqueue(new TextEncoder().encode(`event: meta\ndata: {"conversationId":"cv_1"}\n\n`)),
    cancel: () => cancelled.resolve(),
  });
  const headers = { "Content-Type": "text/event-stream" };
  const { client } = clientThatMeets([new Response(body, { headers })]);
  for await (const { type } of client.stream("hi")) if (type === "meta") break;
  await cancelled.promise;
});
