import { expect, spyOn, test } from "bun:test";

import { follow } from "../../../src/client/follow.ts";
import type { HandoffEvent } from "../../../src/client/public.d.ts";
import { clientThatMeets, events, problem } from "../../support/client-replies.ts";

const said = (number: number, text = String(number), kind = "operator") =>
  ["handoff", { number, at: 0, kind, text }] as const;
const closed = (number: number) => said(number, "closed", "state");
const textsOf = (told: readonly HandoffEvent[]) => told.map(({ text }) => text);
const knownOf = (calls: readonly { init: RequestInit }[]) =>
  calls.map(({ init }) => new Headers(init.headers).get("last-event-id"));

test("each event comes once and in order, over connections that fail, break and repeat", async () => {
  const { client, calls, pauses } = clientThatMeets([
    new TypeError("no network"),
    problem(503, "OVERLOADED"),
    events(said(1), said(2), "cut"),
    events(said(2), said(3)),
    problem(429, "RATE_LIMITED", { "Retry-After": "10" }),
    events(said(3), closed(4)),
  ]);
  const told = await Array.fromAsync(client.follow("cv_1"));
  expect(textsOf(told)).toEqual(["1", "2", "3", "closed"]);
  expect(knownOf(calls)).toEqual([null, null, null, "2", "3", "3"]);
  expect(calls[0]!.url).toBe("https://chat.example/chat/events?botId=acme&conversationId=cv_1");
  expect(pauses).toEqual([375, 750, 1500, 3000, 10_000]);
});

test("begins after the event that the caller knows", async () => {
  const { client, calls } = clientThatMeets([events(said(7), said(8), closed(9))]);
  expect(textsOf(await Array.fromAsync(client.follow("cv_1", { lastEventId: 7 })))).toEqual(["8", "closed"]);
  expect(knownOf(calls)).toEqual(["7"]);
});

test("an earlier hand-off of the conversation that is closed ends nothing", async () => {
  const { client } = clientThatMeets([events(said(1), closed(2), said(3)), events(closed(4))]);
  const told = await Array.fromAsync(client.follow("cv_1"));
  expect(textsOf(told)).toEqual(["1", "closed", "3", "closed"]);
});

test("nor where the stream goes on after it, and ends before anything else is said", async () => {
  using clock = spyOn(performance, "now").mockReturnValue(0);
  const end = Promise.withResolvers<void>();
  const goesOn = new TransformStream<Uint8Array, Uint8Array>({ flush: () => end.promise });
  const quiet = new Response(events(said(1), closed(2)).body!.pipeThrough(goesOn));
  const { client } = clientThatMeets([quiet, events(said(3), closed(4))]);
  const stream = client.follow("cv_1");
  await stream.next();
  await stream.next();
  const next = stream.next();
  clock.mockReturnValue(60_000);
  end.resolve();
  expect((await next).value).toMatchObject({ text: "3" });
  expect(textsOf(await Array.fromAsync(stream))).toEqual(["closed"]);
});

test.each([
  [401, "UNAUTHORIZED"],
  [403, "FORBIDDEN"],
  [404, "NOT_FOUND"],
])("a stream that is refused with %p is asked for once, and the refusal is thrown", async (status, code) => {
  const { client, calls } = clientThatMeets([problem(status, code)]);
  const error: unknown = await client
    .follow("cv_1")
    .next()
    .catch((reason: unknown) => reason);
  expect(error).toMatchObject({ name: "ParleyError", status, code });
  expect(calls).toHaveLength(1);
});

test("a signal ends it with its reason; a page that follows without a client just stops", async () => {
  const leaving = new AbortController();
  const { client } = clientThatMeets([events(said(1), said(2), "cut")]);
  const stream = client.follow("cv_1", { signal: leaving.signal });
  await stream.next();
  await stream.next();
  leaving.abort(new Error("enough"));
  expect(await stream.next().catch((reason: unknown) => reason)).toEqual(new Error("enough"));

  const parts = { open: async () => events(), pause: async () => {}, random: () => 0 };
  expect(await follow(parts, 0, AbortSignal.abort()).next()).toEqual({ done: true, value: undefined });
});
