import { afterAll, beforeAll, expect, test } from "bun:test";

import { postChat } from "../../../src/widget/conversation/transport.ts";
import { answer, type MockService, problem, startMockService, stream } from "../../support/mock-service.ts";

let service: MockService;
beforeAll(async () => {
  service = await startMockService();
});
afterAll(() => service[Symbol.asyncDispose]());

function post(overrides: Partial<Parameters<typeof postChat>[0]> = {}) {
  return postChat({
    endpoint: service.url,
    embedToken: "parley_et_x",
    request: { botId: "acme", input: "Hello", conversationId: undefined },
    idempotencyKey: "key-1",
    signal: new AbortController().signal,
    onMeta: () => {},
    onDelta: () => {},
    ...overrides,
  });
}

test("sends the contract's request with its token and key, and nothing that could override the bot", async () => {
  await post();
  const call = service.calls.at(-1)!;
  expect(call.body).toEqual({ botId: "acme", input: "Hello" });
  expect([call.authorization, call.idempotencyKey]).toEqual(["Bearer parley_et_x", "key-1"]);
});

test.each([
  [
    "a 429 of the rate",
    () => problem(429, "RATE_LIMITED", { "Retry-After": "17" }),
    { kind: "limited", retryAfterMs: 17_000 },
  ],
  ["a 429 without Retry-After", () => problem(429, "RATE_LIMITED"), { kind: "limited", retryAfterMs: 5000 }],
  [
    "a 429 of the cap",
    () => problem(429, "MESSAGE_CAP_EXCEEDED", { "Retry-After": "60" }),
    { kind: "capped", retryAfterMs: 60_000 },
  ],
  [
    "a 503",
    () => problem(503, "STORAGE_UNAVAILABLE"),
    { kind: "failed", status: 503, code: "STORAGE_UNAVAILABLE" },
  ],
  [
    "a proxy's page",
    () => new Response("<h1>Bad gateway</h1>", { status: 502 }),
    { kind: "failed", status: 502, code: "INTERNAL_ERROR" },
  ],
  ["half a stream", () => stream(["a"], { last: "cut" }), { kind: "unreachable" }],
  [
    "a stream's error",
    () => stream(["a"], { last: { event: "error", data: { status: 502, code: "MODEL_ERROR" } } }),
    { kind: "failed", status: 502, code: "MODEL_ERROR" },
  ],
  ["an answer", () => answer("Yes."), { kind: "answered", requestId: "rq_mock00000000000000000000001" }],
])("%s is taken for what it is", async (_, respond, outcome) => {
  service.chat = respond;
  expect(await post()).toMatchObject(outcome);
});

test("a streamed answer arrives in pieces, and then whole", async () => {
  service.chat = () => stream(["One ", "two."]);
  const pieces: string[] = [];
  const outcome = await post({
    onMeta: (conversationId) => pieces.push(conversationId),
    onDelta: (text) => pieces.push(text),
  });
  expect(pieces).toEqual(["cv_mock", "One ", "two."]);
  expect(outcome).toMatchObject({ kind: "answered", response: { response: "One two." } });
});

test("a service that is not there is unreachable, a call that was given up is stopped", async () => {
  expect(await post({ endpoint: "http://127.0.0.1:9" })).toEqual({ kind: "unreachable" });
  const given = new AbortController();
  given.abort();
  expect(await post({ signal: given.signal })).toEqual({ kind: "stopped" });
});

test("a stream is read alike wherever the network cuts it, with heartbeats in it", async () => {
  const whole = await stream(["Tür ", "two\u2028."]).bytes();
  const beating = Uint8Array.from([...new TextEncoder().encode(": still here\n\n"), ...whole]);
  const cut = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const byte of beating) controller.enqueue(Uint8Array.of(byte));
      controller.close();
    },
  });
  service.chat = () => new Response(cut, stream([]));
  const pieces: string[] = [];
  const outcome = await post({ onDelta: (text) => pieces.push(text) });
  expect(pieces).toEqual(["Tür ", "two\u2028."]);
  expect(outcome).toMatchObject({ kind: "answered", response: { response: "Tür two\u2028." } });
});
