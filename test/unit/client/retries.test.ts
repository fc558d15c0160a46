import { describe, expect, test } from "bun:test";

import { openClient } from "../../../src/client/client.ts";
import { ParleyError } from "../../../src/client/parley-error.ts";
import { backoffMs, pause } from "../../../src/client/pause.ts";
import type { ClientOptions, ParleyClient } from "../../../src/client/public.d.ts";
import { answerBody, clientThatMeets, events, json, problem } from "../../support/client-replies.ts";

const broken = () => new TypeError("fetch failed");
const done = { ...answerBody, requestId: "rq_1" };

/** The error that a call ends with. */
async function failureOf(work: Promise<unknown>): Promise<ParleyError> {
  const error: unknown = await work.then(
    () => new Error("it did not fail"),
    (reason: unknown) => reason,
  );
  if (error instanceof ParleyError) return error;
  throw error;
}

async function lastOf(client: ParleyClient) {
  const told = await Array.fromAsync(client.stream("hi"));
  return told.at(-1);
}

describe("a message that fails is sent again", () => {
  test.each([
    ["the network broke", broken],
    ["the rate was exceeded", () => problem(429, "RATE_LIMITED")],
    ["no model answered", () => problem(502, "MODEL_ERROR")],
    ["too many messages were being answered", () => problem(503, "OVERLOADED")],
    ["storage was away", () => problem(503, "STORAGE_UNAVAILABLE")],
    ["a model was slow", () => problem(504, "MODEL_TIMEOUT")],
    ["a proxy found no service", () => new Response("<h1>Bad gateway</h1>", { status: 502 })],
  ])("where %s: under the same key, whole or streamed", async (_, reply) => {
    const whole = clientThatMeets([reply(), json(answerBody)]);
    expect(await whole.client.chat("hi")).toEqual(done);
    const streamed = clientThatMeets([reply(), events(["meta", answerBody], ["done", answerBody])]);
    expect(await lastOf(streamed.client)).toEqual({ type: "done", answer: done });
    for (const { calls, pauses } of [whole, streamed]) {
      expect(calls).toHaveLength(2);
      expect(calls[0]!.key).toMatch(/^\d+(-\d+){3}$/);
      expect(calls[1]).toEqual(calls[0]);
      expect(pauses).toHaveLength(1);
    }
  });

  test("three times unless told otherwise, then the error is thrown", async () => {
    const usual = clientThatMeets([broken(), broken(), broken(), broken()]);
    expect(await failureOf(usual.client.chat("hi"))).toMatchObject({
      name: "ParleyError",
      status: 0,
      code: "NETWORK_ERROR",
      isRetryable: true,
      message: "https://chat.example gave no answer: fetch failed",
      cause: broken(),
    });
    expect(usual.pauses).toEqual([375, 750, 1500]);
    const never = clientThatMeets([broken()], { maxRetries: 0 });
    expect((await failureOf(never.client.chat("hi"))).code).toBe("NETWORK_ERROR");
  });

  test.each([
    [
      "a cause",
      Object.assign(new Error("connect ECONNREFUSED 127.0.0.1:9"), { code: "ECONNREFUSED" }),
      "connect ECONNREFUSED 127.0.0.1:9",
    ],
    [
      "several causes in one, as of a name with two addresses",
      Object.assign(new AggregateError([]), { code: "ECONNREFUSED" }),
      "ECONNREFUSED",
    ],
  ])("where the network's error has %s, the message says what it is", async (_what, cause, told) => {
    const { client } = clientThatMeets([new TypeError("fetch failed", { cause })], { maxRetries: 0 });
    expect((await failureOf(client.chat("hi"))).message).toBe(
      `https://chat.example gave no answer: fetch failed: ${told}`,
    );
  });

  test("not before the Retry-After of the service", async () => {
    const { client, pauses } = clientThatMeets([
      problem(429, "RATE_LIMITED", { "Retry-After": "3" }),
      problem(503, "OVERLOADED", { "Retry-After": "1" }),
      json(answerBody),
    ]);
    await client.chat("hi");
    expect(pauses).toEqual([3375, 1750]);
  });

  test("not at all where the service asks for more patience than there is", async () => {
    const { client, pauses } = clientThatMeets([problem(429, "RATE_LIMITED", { "Retry-After": "31" })]);
    expect(await failureOf(client.chat("hi"))).toMatchObject({ retryAfterMs: 31_000, isRetryable: true });
    expect(pauses).toEqual([]);
    const patient = clientThatMeets(
      [problem(429, "RATE_LIMITED", { "Retry-After": "31" }), json(answerBody)],
      { maxRetryDelayMs: 31_000 },
    );
    await patient.client.chat("hi");
    expect(patient.pauses).toEqual([31_000]);
  });

  test("under the key that the caller gives, and under another for each message", async () => {
    const { client, calls } = clientThatMeets([json(answerBody), json(answerBody), json(answerBody)]);
    await client.chat("hi", { idempotencyKey: "order-7" });
    await client.chat("hi");
    await client.chat("hi");
    expect(calls[0]!.key).toBe("order-7");
    expect(new Set(calls.map(({ key }) => key)).size).toBe(3);
  });
});

describe("what cannot heal is thrown at once", () => {
  test.each([
    [
      "the cap",
      () => problem(429, "MESSAGE_CAP_EXCEEDED", { "Retry-After": "9" }),
      429,
      "MESSAGE_CAP_EXCEEDED",
    ],
    ["a bad request", () => problem(400, "INVALID_REQUEST"), 400, "INVALID_REQUEST"],
    ["a bad token", () => problem(401, "UNAUTHORIZED"), 401, "UNAUTHORIZED"],
    ["a domain", () => problem(403, "FORBIDDEN"), 403, "FORBIDDEN"],
    ["no such bot", () => problem(404, "NOT_FOUND"), 404, "NOT_FOUND"],
    ["a key of another message", () => problem(422, "INVALID_REQUEST"), 422, "INVALID_REQUEST"],
    ["a defect", () => problem(500, "INTERNAL_ERROR"), 500, "INTERNAL_ERROR"],
    ["a proxy's page", () => new Response("<h1>No</h1>", { status: 403 }), 403, "HTTP_ERROR"],
    ["another service", () => new Response("<h1>Hello</h1>"), 200, "INVALID_RESPONSE"],
  ])("%s", async (_, reply, status, code) => {
    const whole = clientThatMeets([reply()]);
    const streamed = clientThatMeets([reply()]);
    for (const ask of [() => whole.client.chat("hi"), () => lastOf(streamed.client)])
      expect(await failureOf(ask())).toMatchObject({ status, code, isRetryable: false });
    expect([...whole.pauses, ...streamed.pauses]).toEqual([]);
  });

  test("with what the problem document says", async () => {
    const errors = [{ pointer: "/input", detail: "is too long", maxLength: 5 }];
    const { client } = clientThatMeets([problem(400, "INVALID_REQUEST", {}, { errors })]);
    const error = await failureOf(client.chat("hello!"));
    expect(error).toMatchObject({ message: "It is INVALID_REQUEST.", requestId: "rq_p", errors });
    expect(error.retryAfterMs).toBeUndefined();
  });

  test.each(["endpoint", "token", "botId"] as const)("a client without `%s`", (name) => {
    const options = { endpoint: "https://chat.example", token: "t", botId: "b", [name]: "" };
    expect(() => openClient(options, { pause, random: Math.random })).toThrow(
      new TypeError(`createClient needs \`${name}\`.`),
    );
  });

  test.each([
    [undefined, "`endpoint`, `token`, `botId`"],
    [null, "`endpoint`, `token`, `botId`"],
    [{ endpoint: "https://chat.example" }, "`token`, `botId`"],
    [{ endpoint: new URL("https://chat.example"), token: "t", botId: 7 }, "`endpoint`, `botId`"],
  ])("a client with the options %p", (options, missing) => {
    expect(() => openClient(options as unknown as ClientOptions, { pause, random: Math.random })).toThrow(
      new TypeError(`createClient needs ${missing}.`),
    );
  });

  test("a client whose endpoint is no address", () => {
    const options = { endpoint: "chat.example", token: "t", botId: "b" };
    expect(() => openClient(options, { pause, random: Math.random })).toThrow(
      "`endpoint` has to begin with https:// or http://.",
    );
  });
});

describe("a signal", () => {
  test("that is given up while a retry waits ends the wait with its reason", async () => {
    const leaving = new AbortController();
    const waiting = Promise.withResolvers<void>();
    const client = openClient(
      {
        endpoint: "https://chat.example",
        token: "t",
        botId: "b",
        fetch: async () => problem(429, "RATE_LIMITED", { "Retry-After": "30" }),
      },
      {
        random: Math.random,
        pause: (milliseconds, signal) => {
          waiting.resolve();
          return pause(milliseconds, signal);
        },
      },
    );
    const asked = client.chat("hi", { signal: leaving.signal }).catch((reason: unknown) => reason);
    await waiting.promise;
    leaving.abort(new Error("never mind"));
    expect(await asked).toEqual(new Error("never mind"));
  });

  test("reaches the request, and its reason is thrown in place of the network's error", async () => {
    const signal = AbortSignal.abort(new Error("never mind"));
    const { client, calls, pauses } = clientThatMeets([broken()]);
    const reason: unknown = await client.chat("hi", { signal }).catch((error: unknown) => error);
    expect(reason).toEqual(new Error("never mind"));
    expect(calls[0]!.init.signal).toBe(signal);
    expect(pauses).toEqual([]);
  });
});

test.each([
  [0, 0, 250],
  [0, 1, 500],
  [3, 0, 2000],
  [3, 1, 4000],
  [50, 0, 15_000],
  [50, 1, 30_000],
])("after %p failures, with chance at %p, a retry waits %p ms", (failures, chance, milliseconds) => {
  expect(backoffMs(failures, () => chance)).toBe(milliseconds);
});

test("what the client asks for beside messages", async () => {
  const { client, calls } = clientThatMeets([
    problem(503, "OVERLOADED"),
    json({ handoffId: "ho_1", conversationId: "cv_1", state: "open", isNew: true }),
    new Response(null, { status: 204 }),
    json({ botName: "Acme" }),
  ]);
  expect(await client.handoff({ conversationId: "cv_1", email: "ada@example.com" })).toMatchObject({
    state: "open",
  });
  await client.rate({ conversationId: "cv_1", requestId: "rq_1", rating: "down", reason: "wrong" });
  expect(await client.embedConfig()).toMatchObject({ botName: "Acme" });
  expect(calls[1]).toEqual(calls[0]);
  expect(calls.map(({ url }) => url.replace("https://chat.example", ""))).toEqual([
    "/handoff",
    "/handoff",
    "/feedback",
    "/embed-config?botId=acme",
  ]);
  expect(JSON.parse(calls[1]!.init.body as string)).toEqual({
    botId: "acme",
    conversationId: "cv_1",
    email: "ada@example.com",
  });
  expect(new Headers(calls[3]!.init.headers).has("authorization")).toBe(false);
});
