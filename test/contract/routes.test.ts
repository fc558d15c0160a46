import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import { shopBot } from "../support/bots.ts";
import { eventually } from "../support/eventually.ts";
import { type TestParley, startParley } from "../support/parley.ts";

let parley: TestParley;
const lines: Record<string, unknown>[] = [];

beforeAll(async () => {
  parley = await startParley({ onLog: (line) => lines.push(line) });
});
afterAll(() => parley[Symbol.asyncDispose]());

/** Sends bytes as they are; resolves with what came back until the end, or until it matches. */
function exchange(request: string, until?: RegExp): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const { hostname, port } = new URL(parley.url);
  let answer = "";
  void Bun.connect({
    hostname,
    port: Number(port),
    socket: {
      open: (socket) => void socket.write(request),
      data(socket, chunk) {
        answer += chunk.toString("latin1");
        if (until?.test(answer)) socket.end();
      },
      close: () => resolve(answer),
      error: (_, error) => reject(error),
    },
  }).catch(reject);
  return promise;
}

/** Sends bytes, and breaks the connection off a little later. */
async function leaveAfter(request: string): Promise<void> {
  const { hostname, port } = new URL(parley.url);
  const socket = await Bun.connect({ hostname, port: Number(port), socket: { data() {} } });
  socket.write(request);
  await Bun.sleep(50);
  socket.terminate();
}

describe("routes", () => {
  test.each([
    ["GET", "/nothing", 404, "NOT_FOUND"],
    ["POST", "/metrics", 404, "NOT_FOUND"],
    ["GET", "/metrics", 404, "NOT_FOUND"],
  ])("%s %s is %d %s", async (method, path, status, code) => {
    const response = await fetch(parley.url + path, { method });
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ code, requestId: response.headers.get("x-request-id") });
  });

  test.each([
    ["GET", "/chat", "POST, OPTIONS"],
    ["GET", "/chat/", "POST, OPTIONS"],
    ["DELETE", "/chat", "POST, OPTIONS"],
    ["POST", "/embed-config", "GET, HEAD, OPTIONS"],
    ["PUT", "/healthz", "GET, HEAD, OPTIONS"],
  ])("%s %s is 405 with Allow: %s", async (method, path, allow) => {
    const response = await fetch(parley.url + path, { method });
    expect(response.status).toBe(405);
    expect(response.headers.get("allow")).toBe(allow);
    expect(await response.json()).toMatchObject({ code: "METHOD_NOT_ALLOWED" });
  });

  test.each(["x", "web", "[::", "%%%", "a b<>", ""])("is found whatever the Host: %p", async (host) => {
    const line = host === "" ? "GET /healthz HTTP/1.0" : `GET /healthz HTTP/1.1\r\nHost: ${host}`;
    expect(await exchange(`${line}\r\nConnection: close\r\n\r\n`)).toMatch(
      /^HTTP\/1.1 200 [^]*"status":"up"/,
    );
  });

  test("a message arrives whatever the Host", async () => {
    const body = JSON.stringify({ botId: "shop", input: "where is my order" });
    const answer = await exchange(
      `POST /chat HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer ${parley.token}\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
    expect(answer).toMatch(/^HTTP\/1.1 200 [^]*"conversationId"/);
  });

  test.each([
    [true, 413],
    [false, 401],
  ])(
    "however long a body is announced to be, the checks answer (with a token: %p)",
    async (hasToken, status) => {
      const authorization = hasToken ? `Authorization: Bearer ${parley.token}\r\n` : "";
      const answer = await exchange(
        `POST /chat HTTP/1.1\r\nHost: localhost\r\n${authorization}Content-Length: 9000000000\r\n\r\n`,
        /requestId":"\w+"}/,
      );
      expect(answer).toContain(`"status":${status},`);
    },
  );

  test("HEAD has the headers of GET, and no body", async () => {
    const url = `${parley.url}/embed-config?botId=shop`;
    const [head, get] = [await fetch(url, { method: "HEAD" }), await fetch(url)];
    expect(head.headers.get("etag")).toBe(get.headers.get("etag"));
    expect(head.headers.get("content-length")).toBe(String((await get.bytes()).length));
    expect(await head.text()).toBe("");
  });

  test("every answer, errors and preflights too, is readable by any origin", async () => {
    const preflight = await fetch(`${parley.url}/chat`, {
      method: "OPTIONS",
      headers: { Origin: "https://a.test", "Access-Control-Request-Method": "POST" },
    });
    const refused = await parley.chat({ botId: "shop", input: "hi" }, { token: null });
    expect(preflight.status).toBe(204);
    const allowed = preflight.headers.get("access-control-allow-headers")!.split(", ");
    // The last: a page that follows GET /chat/events names it when it comes back.
    expect(allowed).toEqual(["Authorization", "Content-Type", "Idempotency-Key", "Last-Event-ID"]);
    for (const response of [preflight, refused]) {
      expect(response.headers.get("access-control-allow-origin")).toBe("*");
      expect(response.headers.get("access-control-allow-credentials")).toBeNull();
      expect(response.headers.get("set-cookie")).toBeNull();
    }
    expect(refused.headers.get("access-control-expose-headers")).toContain("Retry-After");
  });

  test("/healthz and /readyz answer", async () => {
    expect(await (await fetch(`${parley.url}/healthz`)).json()).toEqual({ status: "up" });
    expect(await (await fetch(`${parley.url}/readyz`)).json()).toEqual({ status: "ready", bots: 1 });
  });

  test("/openapi.json describes the contract with the wire shapes themselves", async () => {
    const document = await (await fetch(`${parley.url}/openapi.json`)).json();
    expect(document.openapi).toBe("3.1.0");
    expect(Object.keys(document.paths)).toEqual(["/chat", "/embed-config", "/feedback", "/handoff"]);
    expect(document.components.schemas.ChatRequest.required).toEqual(["botId", "input"]);
    expect(JSON.stringify(document)).not.toContain("$id");
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)];
    for (const [, name] of references) expect(Object.keys(document.components.schemas)).toContain(name!);
  });
});

describe("demo pages", () => {
  test("are there only where the server has a token for them", async () => {
    expect((await fetch(`${parley.url}/demo/shop`)).status).toBe(404);
    expect((await fetch(`${parley.url}/demo/shop`, { method: "POST" })).status).toBe(404);
    await using demo = await startParley({ parts: { demoToken: parley.token } });
    expect((await fetch(`${demo.url}/demo/shop`)).headers.get("content-type")).toContain("text/html");
    expect((await fetch(`${demo.url}/demo/nobody`)).status).toBe(404);
    expect((await fetch(`${demo.url}/demo/shop`, { method: "POST" })).status).toBe(405);
    expect((await fetch(`${demo.url}/demo/`)).status).toBe(404);
  });

  test("say where the bot may be used when it is not there", async () => {
    const bots = [shopBot({ allowedDomains: ["localhost"] })];
    await using demo = await startParley({ bots, parts: { demoToken: parley.token } });
    const pageAt = async (host: string) => {
      const { port } = new URL(demo.url);
      return (await fetch(`${demo.url}/demo/shop`, { headers: { Host: `${host}:${port}` } })).text();
    };
    expect(await pageAt("127.0.0.1")).toContain("This bot may not be used from");
    expect(await pageAt("localhost")).not.toContain("This bot may not be used from");
  });
});

describe("the operator listener", () => {
  test("exposes requests, decisions and commits, and none of the public routes", async () => {
    await parley.say("where is my order");
    const text = await (await fetch(`${parley.server.operatorUrl}/metrics`)).text();
    expect(text).toMatch(/parley_http_requests_total\{route="\/chat",status="200"\} [1-9]/);
    expect(text).toMatch(/parley_decisions_total\{decision="allowed"\} [1-9]/);
    expect(text).toMatch(/parley_commit_group_size_count [1-9]/);
    expect(text).toContain("parley_event_loop_lag_seconds");
  });

  test("answers everything else with a problem document", async () => {
    const response = await fetch(`${parley.server.operatorUrl}/chat`, { method: "POST" });
    expect(response.status).toBe(404);
    expect(response.headers.get("content-type")).toBe("application/problem+json");
    expect(await response.json()).toMatchObject({
      code: "NOT_FOUND",
      requestId: response.headers.get("x-request-id"),
    });
  });
});

describe("the log", () => {
  test("has one line a request with its id, bot, status and time, and neither token nor message", async () => {
    lines.length = 0;
    const response = await parley.chat({ botId: "shop", input: "where is my order, says the canary" });
    const line = lines.find(({ requestId }) => requestId === response.headers.get("x-request-id"));
    expect(line).toMatchObject({ route: "/chat", status: 200, botId: "shop", ms: expect.any(Number) });
    expect(JSON.stringify(lines)).not.toContain("canary");
    expect(JSON.stringify(lines)).not.toContain(parley.token);
  });

  test("names the entries that a refused domain was compared with, which the answer does not", async () => {
    const allowedDomains = ["a.test", "*.b.test"];
    const refusals: Record<string, unknown>[] = [];
    await using strict = await startParley({
      bots: [shopBot({ allowedDomains })],
      onLog: (line) => refusals.push(line),
    });
    const response = await strict.chat(
      { botId: "shop", input: "hi" },
      { headers: { Origin: "https://c.test" } },
    );
    expect(response.status).toBe(403);
    expect(await response.text()).not.toContain("a.test");
    expect(refusals).toContainEqual(expect.objectContaining({ code: "FORBIDDEN", allowedDomains }));
  });

  test("does not take a caller who leaves within the body for a defect", async () => {
    lines.length = 0;
    const head = `POST /chat HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${parley.token}\r\n`;
    await leaveAfter(`${head}Content-Type: application/json\r\nContent-Length: 50\r\n\r\n{`);
    await leaveAfter(`${head}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n{\r\n`);
    await eventually(() => lines.length >= 2);
    expect(lines.map(({ status, code }) => [status, code])).toEqual([
      [400, "INVALID_REQUEST"],
      [400, "INVALID_REQUEST"],
    ]);
  });

  test("keeps of a botId only what one can be", async () => {
    lines.length = 0;
    await parley.chat({ botId: "x".repeat(60_000), input: "hi" });
    await parley.chat({ botId: "My name is Ann", input: "hi" });
    await fetch(`${parley.url}/embed-config?botId=${"y".repeat(5000)}`);
    expect(lines.map(({ botId }) => botId)).toEqual([undefined, undefined, undefined]);
  });

  test("names the code of a refusal", async () => {
    lines.length = 0;
    await parley.chat({ botId: "nobody", input: "hi" });
    expect(lines).toContainEqual(
      expect.objectContaining({ status: 404, code: "NOT_FOUND", botId: "nobody" }),
    );
  });
});
