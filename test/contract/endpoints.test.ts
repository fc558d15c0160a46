/** Endpoints are found without Elysia, with and without a slash at the end of the path. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import { shopBot } from "../support/bots.ts";
import { type TestParley, startParley } from "../support/parley.ts";
import { connectRaw } from "../support/raw-http.ts";

let parley: TestParley;
const lines: Record<string, unknown>[] = [];
beforeAll(async () => {
  parley = await startParley({
    bots: [shopBot(), shopBot({ id: "strict", allowedDomains: ["a.test"] })],
    onLog: (line) => lines.push(line),
  });
});
afterAll(() => parley[Symbol.asyncDispose]());

const VARIES = /rq_\w{31}|cv_\w{31}|"caller";r=\d+;t=\d+/g;

/** All that a caller and an operator get to know of a request, but for what no two requests have in common. */
async function tracesOf(path: string, { headers, ...init }: RequestInit) {
  lines.length = 0;
  const response = await fetch(parley.url + path, {
    ...init,
    headers: { Authorization: `Bearer ${parley.token}`, ...(headers as Record<string, string>) },
  });
  const answer = {
    status: response.status,
    headers: [...response.headers]
      .filter(([name]) => name !== "date")
      .toSorted(([a], [b]) => a.localeCompare(b)),
    body: await response.text(),
  };
  const { time: _, ms: __, ...line } = lines[0]!;
  // The stack of a parser's error says how the endpoint was found.
  if (line.err) line.err = { ...line.err, stack: undefined };
  const traces = JSON.stringify({ answer, line, lines: lines.length });
  return JSON.parse(traces.replaceAll(VARIES, "…").replaceAll(/\\"caller\\";r=\d+;t=\d+/g, "…")) as {
    answer: { status: number };
    line: Record<string, unknown>;
  };
}

async function etagOf(botId: string): Promise<string> {
  return (await fetch(`${parley.url}/embed-config?botId=${botId}`)).headers.get("etag")!;
}

const json = (body: string, headers = {}): RequestInit => ({
  method: "POST",
  body,
  headers: { "Content-Type": "application/json", ...headers },
});
const toShop = JSON.stringify({ botId: "shop", input: "where is my order" });
const toStrict = JSON.stringify({ botId: "strict", input: "where is my order" });

describe("an endpoint answers alike, however it is found:", () => {
  test.each<[string, string, string, RequestInit, number]>([
    ["up", "/healthz", "", {}, 200],
    ["ready", "/readyz", "", {}, 200],
    ["a widget's configuration", "/embed-config", "?botId=shop", {}, 200],
    ["a configuration by an encoded id", "/embed-config", "?x=1&botId=s%68op", {}, 200],
    ["no bot", "/embed-config", "?botId=nobody", {}, 404],
    ["no id", "/embed-config", "", {}, 400],
    ["a message", "/chat", "", json(toShop), 200],
    ["a message in a stream", "/chat", "", json(toShop, { Accept: "text/event-stream" }), 200],
    ["a blank message", "/chat", "", json('{"botId":"shop","input":" "}'), 400],
    ["no JSON", "/chat", "", json("{"), 400],
    ["a stranger", "/chat", "", json(toShop, { Authorization: "Bearer x" }), 401],
    ["a foreign domain", "/chat", "", json(toStrict, { Origin: "https://b.test" }), 403],
    ["no such bot for a message", "/chat", "", json('{"botId":"nobody","input":"hi"}'), 404],
    ["a long body", "/chat", "", json("x".repeat(70_000)), 413],
    ["a wrong method", "/chat", "", {}, 405],
    ["a wrong method with a body", "/embed-config", "", json("{}"), 405],
  ])("%s", async (_name, path, query, init, status) => {
    const direct = await tracesOf(path + query, init);
    const routed = await tracesOf(`${path}/${query}`, init);
    expect(direct.answer.status).toBe(status);
    expect(direct).toEqual(routed);
  });

  test("a configuration that the client holds", async () => {
    const headers = { "If-None-Match": await etagOf("shop") };
    const direct = await tracesOf("/embed-config?botId=shop", { headers });
    expect(direct.answer.status).toBe(304);
    expect(direct).toEqual(await tracesOf("/embed-config/?botId=shop", { headers }));
  });

  test.each(["?botId=shop", "?botId=s%68op"])(
    "a configuration asked for by %s, whatever the Host",
    async (query) => {
      for (const host of ["x", "[::", "%%%", "a?b#c"]) {
        const request = `GET /embed-config${query} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;
        using connection = await connectRaw(parley.url, request);
        expect(await connection.closed()).toMatch(/^HTTP\/1.1 200 [^]*"botName"/);
      }
    },
  );

  test("both are counted as one route", async () => {
    const countOf = async () => {
      const text = await (await fetch(`${parley.server.localOperatorUrl}/metrics`)).text();
      return Number(/^parley_http_request_seconds_count\{route="\/readyz"\} (\d+)$/m.exec(text)?.[1] ?? 0);
    };
    const before = await countOf();
    await fetch(`${parley.url}/readyz`);
    await fetch(`${parley.url}/readyz/`);
    expect(await countOf()).toBe(before + 2);
  });
});
