import { afterAll, beforeAll, expect, test } from "bun:test";

import { type TestParley, startParley } from "../support/parley.ts";

let parley: TestParley;

beforeAll(async () => {
  parley = await startParley();
});
afterAll(() => parley[Symbol.asyncDispose]());

const MESSAGE = { botId: "shop", input: "where is my order" };
/** As Latin-1 a letter, as UTF-8 nothing. */
const BROKEN = new Uint8Array([...Buffer.from('{"botId":"shop","input":"'), 0xe9, ...Buffer.from('"}')]);

const get = (path: string, init?: RequestInit) => () => fetch(parley.url + path, init);

const ANSWERS: [string, number, () => Promise<Response>][] = [
  ["an answer", 200, () => parley.chat(MESSAGE)],
  ["a stream", 200, () => parley.chat(MESSAGE, { headers: { Accept: "text/event-stream" } })],
  ["a message without a token", 401, () => parley.chat(MESSAGE, { token: null })],
  ["a message that is no JSON", 400, () => parley.chat("{")],
  ["a settings document", 200, get("/embed-config?botId=shop")],
  ["one that is known", 304, get("/embed-config?botId=shop", { headers: { "If-None-Match": "*" } })],
  ["one of no bot", 404, get("/embed-config?botId=nobody")],
  ["an endpoint with a slash at its end", 200, get("/healthz/")],
  ["a probe", 200, get("/healthz")],
  ["another probe", 200, get("/readyz")],
  ["HEAD", 200, get("/healthz", { method: "HEAD" })],
  ["a preflight", 204, get("/chat", { method: "OPTIONS" })],
  ["a wrong method", 405, get("/chat")],
  ["a path with nothing", 404, get("/nothing")],
  ["the description", 200, get("/openapi.json")],
];

test.each(ANSWERS)(
  "a page of any origin may read %s with its request id, and no browser guesses its type",
  async (_, status, ask) => {
    const response = await ask();
    expect(response.status).toBe(status);
    const { headers } = response;
    expect(headers.get("access-control-allow-origin")).toBe("*");
    expect(headers.get("access-control-expose-headers")).toBe(
      "X-Request-Id, RateLimit, RateLimit-Policy, Retry-After",
    );
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("x-request-id")).toMatch(/^\S{20,}$/);
    await response.body?.cancel();
  },
);

test("no answer has the headers of the one before", async () => {
  const first = await parley.chat(MESSAGE);
  const refused = await parley.chat(MESSAGE, { token: null });
  const second = await fetch(`${parley.url}/healthz`);
  expect(first.headers.get("x-request-id")).not.toBe(second.headers.get("x-request-id"));
  expect(first.headers.has("ratelimit")).toBe(true);
  expect(refused.headers.has("www-authenticate")).toBe(true);
  expect((await parley.chat("{")).headers.has("www-authenticate")).toBe(false);
  expect(second.headers.has("ratelimit")).toBe(false);
});

test("no page may read what the operator listener answers", async () => {
  const { localOperatorUrl } = parley.server;
  for (const path of ["/metrics", "/nothing"]) {
    const { headers } = await fetch(localOperatorUrl + path);
    expect(headers.get("access-control-allow-origin")).toBeNull();
  }
});

test("a body that is no UTF-8 leaves nothing to the next one", async () => {
  for (let round = 0; round < 3; round += 1) {
    expect((await parley.chat(BROKEN)).status).toBe(400);
    expect((await parley.chat(MESSAGE)).status).toBe(200);
  }
});
