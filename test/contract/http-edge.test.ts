/** What happens at the edge of HTTP, before and beside our own checks; `docs/operating/install.md` says what a proxy mends. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { statSync } from "node:fs";
import { join } from "node:path";

import { shopBot } from "../support/bots.ts";
import { eventually } from "../support/eventually.ts";
import { type TestModelServer, says, startModelServer } from "../support/model-server.ts";
import { type TestParley, startParley } from "../support/parley.ts";
import { connectRaw } from "../support/raw-http.ts";
import { isOnPostgres } from "../support/store-under-test.ts";

const BODY = JSON.stringify({ botId: "shop", input: "where is my order" });

let model: TestModelServer;
let parley: TestParley;
beforeAll(async () => {
  model = await startModelServer();
  model.replyWith(async (response, request) => {
    await Bun.sleep(300);
    await says("It left yesterday.")(response, request);
  });
  parley = await startParley({
    bots: [shopBot(), shopBot({ id: "modelled", responder: { kind: "model", models: ["slow"] } })],
    flags: { models: JSON.stringify({ slow: { baseUrl: model.baseUrl, model: "tiny" } }) },
  });
});
afterAll(async () => {
  await parley[Symbol.asyncDispose]();
  await model[Symbol.asyncDispose]();
});

const requestOf = (line: string, headers: readonly string[], body = "") =>
  [line, "Host: localhost", ...headers, "", body].join("\r\n");
const authorization = () => `Authorization: Bearer ${parley.token}`;
const messageTo = (botId: string) => {
  const body = JSON.stringify({ botId, input: "where is my order" });
  const headers = ["Content-Type: application/json", `Content-Length: ${body.length}`];
  return requestOf("POST /chat HTTP/1.1", [authorization(), ...headers], body);
};
const used = async (botId: string) =>
  parley.store.usage.read((await parley.store.bots.find(botId))!.key, Date.now());

describe("a body that is not read", () => {
  test.each([
    ["401", 401, "POST /chat HTTP/1.1", ["Content-Length: 1000000"]],
    ["401, of unknown length", 401, "POST /chat HTTP/1.1", ["Transfer-Encoding: chunked"]],
    ["404", 404, "POST /nothing HTTP/1.1", ["Content-Length: 1000000"]],
    ["405", 405, "POST /embed-config HTTP/1.1", ["Content-Length: 1000000"]],
    ["200 to a GET", 200, "GET /healthz HTTP/1.1", ["Content-Length: 1000000"]],
  ])("ends the connection after a %s", async (_name, status, line, headers) => {
    using connection = await connectRaw(parley.url, requestOf(line, headers, "5\r\nabcde"));
    expect(await connection.closed()).toMatch(
      new RegExp(`^HTTP/1.1 ${status} [^]*\r\nConnection: close\r\n`),
    );
  });

  test.each([
    ["announced", ["Content-Length: 1000000"], "{"],
    ["chunked", ["Transfer-Encoding: chunked"], `11000\r\n${"x".repeat(0x11000)}\r\n`],
  ])("ends the connection after a 413, where it is %s", async (_name, headers, body) => {
    const all = [authorization(), "Content-Type: application/json", ...headers];
    using connection = await connectRaw(parley.url, requestOf("POST /chat HTTP/1.1", all, body));
    expect(await connection.closed()).toMatch(/^HTTP\/1.1 413 [^]*\r\nConnection: close\r\n/);
  });

  test("and is short leaves the connection for another request", async () => {
    const refused = requestOf("POST /chat HTTP/1.1", [`Content-Length: ${BODY.length}`], BODY);
    using connection = await connectRaw(parley.url, refused);
    await connection.until(/^HTTP\/1.1 401 [^]*}$/);
    connection.send(messageTo("shop"));
    await connection.until(/HTTP\/1.1 200 [^]*"conversationId"/);
  });

  test("ends the connection to the operator listener, too", async () => {
    const request = requestOf("POST /metrics HTTP/1.1", ["Content-Length: 1000000"], "x");
    using connection = await connectRaw(parley.server.operatorUrl, request);
    expect(await connection.closed()).toMatch(/^HTTP\/1.1 404 [^]*\r\nConnection: close\r\n/);
  });
});

describe("what Bun's server decides before our code, mended by a proxy", () => {
  test("a request that is pipelined behind an answer on its way ends the connection; the first is counted", async () => {
    const before = await used("modelled");
    using connection = await connectRaw(parley.url, messageTo("modelled") + messageTo("modelled"));
    expect(await connection.closed()).toBe("");
    await eventually(async () => (await used("modelled")) > before);
    expect(await used("modelled")).toBe(before + 1);
  });

  test("two Host headers are taken for one, which nothing reads", async () => {
    const request = requestOf("GET /healthz HTTP/1.1", ["Host: evil.example", "Connection: close"]);
    using connection = await connectRaw(parley.url, request);
    expect(await connection.closed()).toMatch(/^HTTP\/1.1 200 /);
  });

  test.each([
    ["two lengths", ["Content-Length: 3", "Content-Length: 4"]],
    ["a length and chunks", ["Content-Length: 3", "Transfer-Encoding: chunked"]],
    ["a length that is no number", ["Content-Length: 3x"]],
    ["an encoding that is not known", ["Transfer-Encoding: chunked, gzip"]],
    ["a header that is folded", ["X-A: b", " c: d"]],
    ["a space before the colon", ["X-A : b"]],
  ])("%s: 400 and the end of the connection, without a request id", async (_name, headers) => {
    using connection = await connectRaw(parley.url, requestOf("POST /chat HTTP/1.1", headers, "abc"));
    const answer = await connection.closed();
    expect(answer).toMatch(/^HTTP\/1.1 400 Bad Request\r\n/);
    expect(answer.toLowerCase()).not.toContain("x-request-id");
  });

  test("no Host at all in HTTP/1.1: 400", async () => {
    using connection = await connectRaw(parley.url, "GET /healthz HTTP/1.1\r\n\r\n");
    expect(await connection.closed()).toMatch(/^HTTP\/1.1 400 /);
  });
});

describe("a target without a path", () => {
  test.each(["CONNECT []", "CONNECT *?[]", "CONNECT a:b", "GET http://[/", "GET //["])(
    "%s: 404, or the page of the console, and no defect",
    async (line) => {
      const answerOf = async (url: string) => {
        using connection = await connectRaw(url, requestOf(`${line} HTTP/1.1`, ["Connection: close"]));
        return await connection.closed();
      };
      expect(await answerOf(parley.url)).toMatch(/^HTTP\/1.1 404 /);
      expect(await answerOf(parley.server.operatorUrl)).toMatch(/^HTTP\/1.1 (404 |200 [^]*<title>Parley)/);
    },
  );
});

describe("/readyz", () => {
  // Seen by the size of SQLite's log.
  test.skipIf(isOnPostgres)("writes once a second at most, however often it is asked", async () => {
    const folder = parley.dataDir;
    const sizeOf = () => statSync(join(folder, "parley.db-wal")).size;
    await fetch(`${parley.url}/readyz`);
    const before = sizeOf();
    const startedAt = performance.now();
    for (let i = 0; i < 100; i += 1) expect((await fetch(`${parley.url}/readyz`)).status).toBe(200);
    const seconds = Math.ceil((performance.now() - startedAt) / 1000) + 1;
    // 64 KiB are some twenty pages of 4 KiB, with the head of each.
    expect(sizeOf() - before).toBeLessThan(seconds * 200_000);
  });
});

describe("the operator listener answers", () => {
  const ask = async (url: string, host: string) => {
    const { port } = new URL(url);
    const request = `GET /metrics HTTP/1.1\r\nHost: ${host.replace("PORT", port)}\r\nConnection: close\r\n\r\n`;
    using connection = await connectRaw(`http://127.0.0.1:${port}`, request);
    return await connection.closed();
  };

  test.each([
    "localhost",
    "localhost:PORT",
    "LOCALHOST.:PORT",
    "parley.localhost",
    "127.0.0.1:PORT",
    "192.0.2.7",
    "[::1]:PORT",
  ])("at the host %s", async (host) => {
    expect(await ask(parley.server.operatorUrl, host)).toMatch(/^HTTP\/1.1 200 /);
  });

  test.each([
    "evil.example",
    "evil.example:PORT",
    "localhost.evil.example",
    "127.0.0.1.evil.example",
    "x",
    "localhost, evil.example",
    "localhost\r\nHost: evil.example",
    "",
  ])("at the host %j with 403", async (host) => {
    const answer = await ask(parley.server.operatorUrl, host);
    expect(answer).toMatch(/^HTTP\/1.1 40[03] /);
    expect(answer).not.toContain("parley_http_requests_total");
  });

  test("at the host of --operator-url, and at no other name", async () => {
    const flags = { operatorUrl: "https://Console.example" };
    await using named = await startParley({ flags });
    expect(named.server.operatorUrl).toBe("https://console.example");
    const url = named.server.localOperatorUrl;
    expect(await ask(url, "console.example")).toMatch(/^HTTP\/1.1 200 /);
    expect(await ask(url, "console.example:443")).toMatch(/^HTTP\/1.1 200 /);
    const refused = await ask(url, "other.example");
    expect(refused).toMatch(/^HTTP\/1.1 403 [^]*application\/problem\+json[^]*"code":"FORBIDDEN"/);
    expect(refused).toContain("--operator-url");
  });
});
