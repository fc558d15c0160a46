import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { brotliCompressSync, constants, deflateSync, gzipSync, zstdCompressSync } from "node:zlib";

import type { Socket } from "bun";

import type { ModelServerSettings } from "../../../src/config/models.ts";
import type { CompletionRequest } from "../../../src/domain/completion.ts";
import { FAILURES_TO_OPEN, OPEN_MS } from "../../../src/model/circuit-breaker.ts";
import { embedTexts } from "../../../src/model/embed.ts";
import { type CallWorld, ModelServer } from "../../../src/model/model-server.ts";
import type { ModelBombFindings } from "../../support/bombs/model-bomb.ts";
import { runScript } from "../../support/bombs/run-script.ts";
import { HANG_MS } from "../../support/eventually.ts";
import {
  type Reply,
  type TestModelServer,
  breaksOffAfter,
  compresses,
  drips,
  fails,
  hangs,
  hangsUp,
  says,
  sends,
  sendsBody,
  sendsBomb,
  stallsAfter,
  startModelServer,
} from "../../support/model-server.ts";

const KEY = "sk-very-secret";
const REQUEST: CompletionRequest = { messages: [{ role: "user", content: "hi" }], maxTokens: 64 };
const NEVER = new AbortController().signal;
let mock: TestModelServer;

beforeAll(async () => {
  mock = await startModelServer();
});
afterAll(() => mock[Symbol.asyncDispose]());

interface World extends CallWorld {
  waitsMs: number[];
  clock: { nowMs: number };
}

function quietWorld(): World {
  const waitsMs: number[] = [];
  const clock = { nowMs: 0 };
  return {
    waitsMs,
    clock,
    now: () => clock.nowMs,
    random: () => 0,
    sleep: async (milliseconds) => void waitsMs.push(milliseconds),
  };
}

function open(settings: Partial<ModelServerSettings> = {}, world: CallWorld = quietWorld()): ModelServer {
  return new ModelServer("local", { baseUrl: mock.baseUrl, model: "tiny", ...settings }, KEY, world);
}

async function complete(reply: Reply, { stream = false, timeoutMs = HANG_MS } = {}) {
  mock.replyWith(reply);
  const pieces: string[] = [];
  const onText = (text: string) => void pieces.push(text);
  const completion = await open({ timeoutMs }).complete(REQUEST, {
    signal: NEVER,
    ...(stream && { onText }),
  });
  return { completion, pieces };
}

describe("a model server that answers", () => {
  test("is asked with the model, the messages and the key, and nothing else", async () => {
    const { completion } = await complete(says("Good day."));
    expect(completion).toEqual({
      outcome: "ok",
      text: "Good day.",
      truncated: false,
      server: "local",
      usage: { promptTokens: 11, completionTokens: 7 },
    });
    expect(mock.requests).toHaveLength(1);
    expect(mock.requests[0]).toMatchObject({
      path: "/v1/chat/completions",
      headers: { authorization: `Bearer ${KEY}` },
      body: { model: "tiny", messages: REQUEST.messages, max_tokens: 64 },
    });
    expect(Object.keys(mock.requests[0]!.body).toSorted()).toEqual(["max_tokens", "messages", "model"]);
  });

  test("streams its answer piece by piece", async () => {
    const { completion, pieces } = await complete(says("one two three"), { stream: true });
    expect(pieces).toEqual(["one ", "two ", "three"]);
    expect(completion).toMatchObject({ outcome: "ok", text: "one two three", usage: { promptTokens: 11 } });
  });

  test("may answer a stream with one JSON document", async () => {
    const { completion, pieces } = await complete(sends({ content: "all at once" }), { stream: true });
    expect(pieces).toEqual(["all at once"]);
    expect(completion).toMatchObject({ outcome: "ok", text: "all at once" });
  });

  test.each([
    [
      "a completion that the token limit ended",
      says("half an", "length"),
      { outcome: "ok", truncated: true },
    ],
    ["a refusal", sends({ content: null, refusal: "I won't." }), { outcome: "declined", text: "I won't." }],
    ["a filtered answer", sends({ content: "x" }, "content_filter"), { outcome: "declined", text: "" }],
    ["a thought before the answer", says("<think>hm, well</think>\n\nYes."), { text: "Yes." }],
  ])("knows %s", async (_, reply, expected) => {
    expect((await complete(reply)).completion).toMatchObject(expected);
    expect((await complete(reply, { stream: true })).completion).toMatchObject(expected);
  });
});

describe("a small answer that becomes a very large one", () => {
  /** 256 MB of one character; at most some hundred KB of it are sent. */
  const LARGE = Buffer.alloc(256 * 1024 * 1024, " ");
  const BOMBS = [
    ["gzip", gzipSync(LARGE, { level: 1 })],
    ["deflate", deflateSync(LARGE, { level: 1 })],
    ["br", brotliCompressSync(LARGE, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } })],
    ["zstd", zstdCompressSync(LARGE)],
  ] as const;

  test.each(BOMBS)(
    "is cut at the limit of what it becomes, whole or streamed (%s)",
    async (encoding, bomb) => {
      for (const contentType of ["application/json", "text/event-stream"]) {
        const { completion } = await complete(sendsBomb(encoding, bomb, contentType), { stream: true });
        expect(completion).toMatchObject({ outcome: "unavailable", reason: "the answer is too large" });
      }
      mock.replyWith(sendsBomb(encoding, bomb));
      expect(await embedTexts(open(), ["a"], NEVER)).toMatchObject({ reason: "the answer is too large" });
    },
  );

  test.each([
    ["gzip", gzipSync],
    ["deflate", deflateSync],
    ["br", brotliCompressSync],
    ["zstd", zstdCompressSync],
  ])(
    "is read where it is small after all, though no encoding was asked for (%s)",
    async (encoding, encode) => {
      const sent: Reply = (response, { headers }) => {
        expect(headers["accept-encoding"]).toBe("identity");
        const json = JSON.stringify({ choices: [{ message: { content: "Hello." }, finish_reason: "stop" }] });
        const head = { "Content-Type": "application/json", "Content-Encoding": encoding };
        response.writeHead(200, head).end(encode(json));
      };
      expect((await complete(sent)).completion).toMatchObject({ outcome: "ok", text: "Hello." });
    },
  );

  test.each([
    ["gzip", Buffer.from("not gzip at all")],
    ["gzip", gzipSync('{"choices":[]}').subarray(0, 20)],
    ["rot13", Buffer.from("{}")],
    ["gzip, gzip", gzipSync(gzipSync("{}"))],
  ])("is said to be broken where it cannot be decoded (%s)", async (encoding, body) => {
    const { completion } = await complete(sendsBomb(encoding, body));
    expect(completion).toMatchObject({ outcome: "unavailable" });
    expect(completion).toHaveProperty("reason", expect.stringContaining("broke off"));
  });

  test("takes no more memory than the limit and some buffers", () => {
    const { outcome, grownBytes } = runScript("model-bomb.ts") as ModelBombFindings;
    expect(outcome).toBe("unavailable");
    expect(grownBytes).toBeLessThan(200 * 1024 * 1024);
  });

  test("is cut in a stream of events that say nothing", async () => {
    const heartbeats = zstdCompressSync(Buffer.alloc(24 * 1024 * 1024, ":\n\n"));
    const { completion } = await complete(sendsBomb("zstd", heartbeats, "text/event-stream"), {
      stream: true,
    });
    expect(completion).toMatchObject({ outcome: "unavailable", reason: "the answer is too large" });
  });
});

describe("a model server that fails", () => {
  /** Short only where it is to pass. */
  const timeoutFor = (outcome: string) => (outcome === "timeout" ? 100 : HANG_MS);

  test.each([
    ["refuses the key", fails(401), "unavailable", "status 401"],
    ["closes the connection", hangsUp(), "unavailable", "no connection"],
    ["never answers", hangs(), "timeout", "no answer in time"],
    ["answers with a page", sendsBody("<html>", "text/html"), "unavailable", "neither JSON nor"],
    ["answers with broken JSON", sendsBody('{"choices":['), "unavailable", "malformed"],
    ["answers with another shape", sendsBody('{"choices":[{"text":"x"}]}'), "unavailable", "malformed"],
    ["answers without a choice", sendsBody('{"choices":[]}'), "unavailable", "no choice"],
    ["answers with nothing", says("  "), "unavailable", "empty"],
    ["spends its tokens before it answers", says("", "length"), "unavailable", "token limit"],
    ["answers with 10 MB", says("x".repeat(10_000_000)), "unavailable", "too large"],
    ["answers with 10 MB in few bytes", compresses("x".repeat(10_000_000)), "unavailable", "too large"],
    ["redirects", fails(307, { Location: "http://127.0.0.1:1/" }), "unavailable", "status 307"],
  ] as const)("%s: is said to be so", async (_, reply, outcome, reason) => {
    const { completion } = await complete(reply, { timeoutMs: timeoutFor(outcome) });
    expect(completion).toMatchObject({ outcome, reason: expect.stringContaining(reason) });
    expect(JSON.stringify(completion)).not.toContain(KEY);
    expect(JSON.stringify(completion)).not.toContain("127.0.0.1");
  });

  test.each([
    ["breaks its stream off", breaksOffAfter("one ", "two"), "unavailable", "broke off"],
    ["stalls in its stream", stallsAfter("one "), "timeout", "no answer in time"],
    ["drips for ever", drips("drop "), "timeout", "no answer in time"],
    ["streams what is no JSON", sendsBody("data: oops\n\n", "text/event-stream"), "unavailable", "malformed"],
    ["streams 10 MB", says("x".repeat(10_000_000)), "unavailable", "too large"],
    ["ends its stream early", sendsBody(": hello\n\n", "text/event-stream"), "unavailable", "broke off"],
  ] as const)("%s: is said to be so", async (_, reply, outcome, reason) => {
    const { completion } = await complete(reply, { stream: true, timeoutMs: timeoutFor(outcome) });
    expect(completion).toMatchObject({ outcome, reason: expect.stringContaining(reason) });
  });

  test("announces few bytes and sends many in chunks", async () => {
    const head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 9\r\n";
    const chunks = `4C4B40\r\n${"x".repeat(0x4c4b40)}\r\n0\r\n\r\n`;
    const data = (socket: Socket) => void socket.end(`${head}Transfer-Encoding: chunked\r\n\r\n${chunks}`);
    using liar = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data } });
    const server = open({ baseUrl: `http://127.0.0.1:${liar.port}/v1` });
    const completion = await server.complete(REQUEST, { signal: NEVER });
    expect(completion).toMatchObject({ outcome: "unavailable", reason: "the answer is too large" });
  });

  test("cannot be reached", async () => {
    const server = open({ baseUrl: "http://127.0.0.1:1/v1" });
    const completion = await server.complete(REQUEST, { signal: NEVER });
    expect(completion).toEqual({ outcome: "unavailable", reason: "no connection (ECONNREFUSED)" });
  });
});

describe("a retry", () => {
  test("follows 503 and 429, as patient as the server asks", async () => {
    const world = quietWorld();
    mock.replyWith(fails(503), fails(429, { "Retry-After": "2" }), says("at last"));
    const completion = await open({}, world).complete(REQUEST, { signal: NEVER });
    expect(completion).toMatchObject({ outcome: "ok", text: "at last" });
    expect(world.waitsMs).toEqual([200, 2000]);
  });

  test("is not made when the server asks for too much patience", async () => {
    mock.replyWith(fails(429, { "Retry-After": "3600" }), says("too late"));
    expect(await open().complete(REQUEST, { signal: NEVER })).toMatchObject({ reason: "status 429" });
    expect(mock.requests).toHaveLength(1);
  });

  test("is not made for a while after that either, nor is a first call", async () => {
    const world = quietWorld();
    const server = open({}, world);
    mock.replyWith(fails(429, { "Retry-After": "60" }), says("rested"));
    await server.complete(REQUEST, { signal: NEVER });
    world.clock.nowMs += 59_000;
    expect(await server.complete(REQUEST, { signal: NEVER })).toMatchObject({
      reason: expect.stringContaining("left alone"),
    });
    expect(mock.requests).toHaveLength(1);
    world.clock.nowMs += 1000;
    expect(await server.complete(REQUEST, { signal: NEVER })).toMatchObject({ text: "rested" });
  });

  test("is given up after two", async () => {
    mock.replyWith(fails(500));
    expect(await open().complete(REQUEST, { signal: NEVER })).toMatchObject({ reason: "status 500" });
    expect(mock.requests).toHaveLength(3);
  });

  test("is not made once an answer has begun", async () => {
    mock.replyWith(breaksOffAfter("one "), says("again"));
    await open().complete(REQUEST, { signal: NEVER, onText: () => {} });
    expect(mock.requests).toHaveLength(1);
  });
});

describe("a caller who leaves", () => {
  test("ends the call, and the server notices", async () => {
    const caller = new AbortController();
    const closed = Promise.withResolvers<void>();
    mock.replyWith((response) => {
      response.on("close", () => closed.resolve());
      caller.abort();
    });
    const completion = await open().complete(REQUEST, { signal: caller.signal });
    expect(completion).toMatchObject({ outcome: "cancelled" });
    await closed.promise;
  });

  test("costs no call when already gone", async () => {
    mock.replyWith(says("hi"));
    expect(await open().complete(REQUEST, { signal: AbortSignal.abort() })).toMatchObject({
      outcome: "cancelled",
    });
    expect(mock.requests).toEqual([]);
  });
});

describe("response_format", () => {
  const schema = { type: "object", properties: { a: { type: "string" } } };
  const request = { ...REQUEST, outputSchema: schema };

  test("carries the schema", async () => {
    mock.replyWith(says('{"a":"b"}'));
    await open().complete(request, { signal: NEVER });
    expect(mock.requests[0]?.body["response_format"]).toMatchObject({
      type: "json_schema",
      json_schema: { schema },
    });
  });

  test("is left out for a server that has refused this schema before", async () => {
    const server = open();
    mock.replyWith(fails(400), says("{}"));
    for (let turn = 0; turn < 2; turn += 1) {
      expect(await server.complete(request, { signal: NEVER })).toMatchObject({ outcome: "ok" });
    }
    const formats = mock.requests.map(({ body }) => "response_format" in body);
    expect(formats).toEqual([true, false, false]);
  });

  test("is never sent to a server that is configured without", async () => {
    mock.replyWith(says("{}"));
    await open({ structuredOutput: "none" }).complete(request, { signal: NEVER });
    expect(mock.requests[0]?.body).not.toHaveProperty("response_format");
  });
});

describe("the circuit", () => {
  test("opens after failures in a row, tries once when time has passed, and closes on success", async () => {
    const world = quietWorld();
    const server = open({}, world);
    const ask = () => server.complete(REQUEST, { signal: NEVER });
    mock.replyWith(sendsBody("{}"));
    for (let failure = 0; failure < FAILURES_TO_OPEN; failure += 1) await ask();
    expect(await ask()).toEqual({ outcome: "unavailable", reason: expect.stringContaining("left alone") });
    expect(mock.requests).toHaveLength(FAILURES_TO_OPEN);
    mock.replyWith(says("back"));
    world.clock.nowMs += OPEN_MS;
    expect(await ask()).toMatchObject({ outcome: "ok" });
    expect(await ask()).toMatchObject({ outcome: "ok" });
  });
});

test("no more calls than allowed run at a time", async () => {
  let running = 0;
  let most = 0;
  const threeRun = Promise.withResolvers<void>();
  mock.replyWith(async (response, request) => {
    most = Math.max(most, (running += 1));
    if (running === 3) threeRun.resolve();
    await threeRun.promise;
    await Bun.sleep(5);
    running -= 1;
    return says("done")(response, request);
  });
  const server = open({ maxConcurrent: 3 });
  const completions = await Promise.all(
    Array.from({ length: 12 }, () => server.complete(REQUEST, { signal: NEVER })),
  );
  expect(completions.every(({ outcome }) => outcome === "ok")).toBe(true);
  expect(most).toBe(3);
});
