import { describe, expect, spyOn, test } from "bun:test";
import { createServer, type Socket } from "node:net";
import { gzipSync } from "node:zlib";

import { Webhook } from "standardwebhooks";

import {
  type CallOrder,
  type CallerWorld,
  ConfiguredEndpoints,
} from "../../../src/action/endpoint-caller.ts";
import type { EndpointSettings } from "../../../src/config/endpoints.ts";
import type { BotId, ConversationId } from "../../../src/domain/ids.ts";
import { EndpointServer } from "../../support/endpoint-server.ts";
import { WEBHOOK_SECRET } from "../../support/webhook-receiver.ts";

const ORDER: CallOrder = {
  id: "ac_1",
  endpoint: "orders",
  bot: "shop" as BotId,
  conversation: "cv_1" as ConversationId,
  request: { method: "GET", path: "/orders/48213", query: "" },
  hasProof: true,
};
const POST = {
  ...ORDER,
  request: { method: "POST", path: "/orders/1/cancel", query: "", body: '{"a":"ä"}' },
} as const;

function callerOf(settings: EndpointSettings, world: Partial<CallerWorld> = {}) {
  return new ConfiguredEndpoints({ orders: settings }, { env: {}, now: Date.now, ...world });
}

/** A server that speaks no HTTP by itself. */
async function listen(onSocket: (socket: Socket) => void) {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    onSocket(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  return {
    url: `http://127.0.0.1:${port}`,
    [Symbol.dispose]: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

describe("a call to an endpoint", () => {
  test("sends method, path, query, headers and body, and reads JSON", async () => {
    using endpoint = new EndpointServer();
    endpoint.answer = () => Response.json({ state: "shipped" }, { status: 201 });
    const headers = { Authorization: { env: "ORDERS_AUTH" }, "X-From": "bot" };
    const caller = callerOf(endpoint.settings({ headers }), { env: { ORDERS_AUTH: "Bearer s3cret" } });
    const outcome = await caller.call({ ...POST, request: { ...POST.request, query: "a=1" } });
    expect(outcome).toMatchObject({ kind: "answered", answer: { status: 201, body: { state: "shipped" } } });
    const [got] = endpoint.requests;
    expect(got).toMatchObject({ method: "POST", path: "/orders/1/cancel?a=1", body: '{"a":"ä"}' });
    expect(got!.headers).toMatchObject({
      authorization: "Bearer s3cret",
      "x-from": "bot",
      "idempotency-key": "ac_1",
      "content-type": "application/json",
    });
  });

  test("is signed as webhooks are, where the endpoint has a secret", async () => {
    using endpoint = new EndpointServer();
    const caller = callerOf(endpoint.settings({ secretEnv: "SECRET" }), { env: { SECRET: WEBHOOK_SECRET } });
    await caller.call(POST);
    await caller.call(ORDER);
    for (const { headers, body } of endpoint.requests) {
      const expected = new Webhook(WEBHOOK_SECRET).sign(
        "ac_1",
        new Date(1000 * Number(headers["webhook-timestamp"])),
        body,
      );
      expect(headers["webhook-signature"]).toBe(expected);
    }
    expect(endpoint.requests).toHaveLength(2);
  });

  test.each<[what: string, order: Partial<CallOrder>, fault: string]>([
    ["another bot", { bot: "other" as BotId }, "not-allowed"],
    ["another method", { request: { ...ORDER.request, method: "DELETE" } }, "not-allowed"],
    ["another path", { request: { ...ORDER.request, path: "/customers/1" } }, "not-allowed"],
    ["a deeper path", { request: { ...ORDER.request, path: "/orders/1/items" } }, "not-allowed"],
    ["an unknown endpoint", { endpoint: "constructor" }, "unknown-endpoint"],
    ["no proof", { hasProof: false }, "needs-proof"],
  ])("of %s is refused", async (_, order, fault) => {
    using endpoint = new EndpointServer();
    expect(await callerOf(endpoint.settings()).call({ ...ORDER, ...order })).toMatchObject({
      kind: "not-done",
      fault,
    });
    expect(endpoint.requests).toEqual([]);
  });

  test("needs no proof of an endpoint that is public", async () => {
    using endpoint = new EndpointServer();
    const outcome = await callerOf(endpoint.settings({ public: true })).call({ ...ORDER, hasProof: false });
    expect(outcome.kind).toBe("answered");
  });

  test.each([undefined, "two\r\nX-Evil: 1"])(
    "is not made where a header's variable holds %j",
    async (value) => {
      using endpoint = new EndpointServer();
      const caller = callerOf(endpoint.settings({ headers: { "X-Shop": { env: "SHOP" } } }), {
        env: { SHOP: value },
      });
      expect(await caller.call(ORDER)).toMatchObject({ kind: "not-done", fault: "no-secret" });
      expect(endpoint.requests).toEqual([]);
    },
  );

  test("follows no redirect", async () => {
    using endpoint = new EndpointServer();
    using other = new EndpointServer();
    endpoint.answer = () => Response.redirect(`${other.url}/orders/1`, 302);
    expect(await callerOf(endpoint.settings()).call(ORDER)).toMatchObject({ answer: { status: 302 } });
    expect(other.requests).toEqual([]);
  });

  test("reaches no private address that the configuration does not allow, whatever the name", async () => {
    using endpoint = new EndpointServer();
    const url = `http://orders.example:${endpoint.port}`;
    const settings = endpoint.settings({ url, allowPrivate: false });
    const caller = callerOf(settings, { resolve: async () => ["127.0.0.1"] });
    expect(await caller.call(ORDER)).toMatchObject({ kind: "not-done", fault: "private-address" });
    expect(endpoint.requests).toEqual([]);
  });

  test("holds the address that was checked, though the name leads elsewhere a moment later", async () => {
    using endpoint = new EndpointServer();
    let lookups = 0;
    const resolve = async () => (++lookups === 1 ? ["127.0.0.1"] : ["192.0.2.1"]);
    const url = `http://orders.example:${endpoint.port}`;
    const outcome = await callerOf(endpoint.settings({ url }), { resolve }).call(ORDER);
    expect(outcome.kind).toBe("answered");
    expect(endpoint.requests[0]?.headers["host"]).toBe(`orders.example:${endpoint.port}`);
    expect(lookups).toBe(1);
  });

  test("is not done where nobody listens, and where there is no such name", async () => {
    const server = new EndpointServer();
    const settings = server.settings();
    server[Symbol.dispose]();
    expect(await callerOf(settings).call(POST)).toMatchObject({ kind: "not-done", fault: "not-reached" });
    const nowhere = { ...settings, url: "http://nowhere.invalid" };
    const outcome = await callerOf(nowhere, { resolve: async () => [] }).call(POST);
    expect(outcome).toMatchObject({ kind: "not-done", fault: "not-reached" });
  });

  test.each<[what: string, onSocket: (socket: Socket) => void, fault: string]>([
    ["says nothing", () => {}, "timeout"],
    ["hangs up", (socket) => socket.once("data", () => socket.destroy()), "broken"],
    ["sends headers for ever", (socket) => socket.write("HTTP/1.1 200 OK\r\nX: "), "timeout"],
  ])("of an endpoint that %s has an unknown outcome", async (_, onSocket, fault) => {
    using server = await listen(onSocket);
    using endpoint = new EndpointServer();
    const caller = callerOf(endpoint.settings({ url: server.url, timeoutMs: 150 }));
    expect(await caller.call(POST)).toMatchObject({ kind: "unknown", fault });
  });

  test.each<[what: string, answer: () => Response, fault: string]>([
    ["streams for ever", () => new Response(endless()), "too-large"],
    ["is too large", () => new Response(`"${"a".repeat(300_000)}"`), "too-large"],
    ["is a compressed bomb", () => packed(), "packed"],
    ["is no JSON", () => new Response("<html>"), "not-json"],
    ["is no UTF-8", () => new Response(new Uint8Array([0x22, 0xff, 0x22])), "not-json"],
  ])("whose answer %s has its status, and no body", async (_, answer, fault) => {
    using endpoint = new EndpointServer();
    endpoint.answer = answer;
    const outcome = await callerOf(endpoint.settings()).call(ORDER);
    expect(outcome).toMatchObject({ kind: "answered", answer: { status: 200, fault } });
    expect(JSON.stringify(outcome)).not.toContain('"body"');
  });

  test("ends in time where an answer drips", async () => {
    using endpoint = new EndpointServer();
    endpoint.answer = () => new Response(dripping());
    const outcome = await callerOf(endpoint.settings({ timeoutMs: 200 })).call(ORDER);
    expect(outcome).toMatchObject({ kind: "answered", answer: { status: 200, fault: "timeout" } });
  });

  test("is made no more once an endpoint has failed five times, until ten seconds are over", async () => {
    using endpoint = new EndpointServer();
    endpoint.answer = () => new Response(null, { status: 503 });
    let now = 0;
    const caller = callerOf(endpoint.settings(), { now: () => now });
    for (let call = 0; call < 5; call += 1) await caller.call(ORDER);
    expect(await caller.call(ORDER)).toMatchObject({ kind: "not-done", fault: "breaker-open" });
    now = 10_000;
    endpoint.answer = () => Response.json({});
    expect((await caller.call(ORDER)).kind).toBe("answered");
    expect(endpoint.requests).toHaveLength(6);
  });

  test("waits while as many run as may", async () => {
    using endpoint = new EndpointServer();
    const { promise, resolve } = Promise.withResolvers<Response>();
    const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>();
    let running = 0;
    let most = 0;
    endpoint.answer = async () => {
      most = Math.max(most, ++running);
      arrive();
      const answer = (await promise).clone();
      running -= 1;
      return answer;
    };
    const caller = callerOf(endpoint.settings({ maxConcurrent: 1 }));
    const calls = [caller.call(ORDER), caller.call(ORDER), caller.call(ORDER)];
    await arrived;
    resolve(Response.json({}));
    expect((await Promise.all(calls)).map(({ kind }) => kind)).toEqual(["answered", "answered", "answered"]);
    expect(most).toBe(1);
  });
});

test("a call that waited for others has its whole time when it is its turn", async () => {
  using endpoint = new EndpointServer();
  const timers: AbortController[] = [];
  using _ = spyOn(AbortSignal, "timeout").mockImplementation(() => {
    const timer = new AbortController();
    timers.push(timer);
    return timer.signal;
  });
  const calls = [ORDER, POST].map(() => ({
    reached: Promise.withResolvers<void>(),
    answer: Promise.withResolvers<Response>(),
  }));
  endpoint.answer = () => {
    const call = calls[endpoint.requests.length - 1]!;
    call.reached.resolve();
    return call.answer.promise;
  };
  const caller = callerOf(endpoint.settings({ maxConcurrent: 1 }));
  const first = caller.call(ORDER);
  await calls[0]!.reached.promise;
  const second = caller.call(ORDER);
  const whileWaiting = [...timers];
  calls[0]!.answer.resolve(Response.json({}));
  await first;
  await calls[1]!.reached.promise;
  for (const timer of whileWaiting) timer.abort();
  calls[1]!.answer.resolve(Response.json({}));
  expect(await second).toMatchObject({ kind: "answered" });
});

function endless(): ReadableStream {
  return new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(65_536).fill(0x20)) });
}

function dripping(): ReadableStream {
  return new ReadableStream({
    start: (controller) => controller.enqueue(new TextEncoder().encode('{"a":')),
  });
}

function packed(): Response {
  return new Response(gzipSync(Buffer.alloc(50_000_000, 0x20)), { headers: { "Content-Encoding": "gzip" } });
}
