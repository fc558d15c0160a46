import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import { runInTerminal } from "../../support/cli.ts";
import { HANG_MS } from "../../support/eventually.ts";
import {
  type Reply,
  type TestModelServer,
  embeds,
  fails,
  says,
  sendsBody,
  startModelServer,
} from "../../support/model-server.ts";

const KEY = "sk-very-secret";
let mock: TestModelServer;

beforeAll(async () => {
  mock = await startModelServer();
});
afterAll(() => mock[Symbol.asyncDispose]());

/** A server that can do everything. */
const able: Reply = (response, request) => {
  if (request.path === "/v1/models")
    return sendsBody('{"data":[{"id":"tiny"},{"id":"big"}]}')(response, request);
  if (request.path === "/v1/embeddings") return embeds(() => [1, 0])(response, request);
  return says('{"ok": true}')(response, request);
};

function check(reply: Reply, settings: object = {}, args: string[] = []) {
  mock.replyWith(reply);
  const local = { baseUrl: mock.baseUrl, model: "tiny", timeoutMs: HANG_MS, ...settings };
  const env = { PARLEY_MODELS: JSON.stringify({ local }), LOCAL_KEY: KEY };
  return runInTerminal(["model", "check", ...args], { env });
}

describe("parley model check", () => {
  test("says what a server supports, and how long a completion takes", async () => {
    const { exitCode, stdout } = await check(able);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^local: answers in \d+ ms \(tiny at http/);
    expect(stdout).toContain("streaming yes, structured output yes, embeddings yes");
    expect(stdout).toContain("lists 2 models");
    expect(stdout).not.toContain("fix:");
  });

  test("prints JSON, without the key", async () => {
    const { stdout } = await check(able, { apiKeyEnv: "LOCAL_KEY" }, ["local", "--json"]);
    expect(JSON.parse(stdout)).toMatchObject({
      servers: [{ name: "local", supports: { completions: true, embeddings: true }, advice: [] }],
    });
    expect(mock.requests[0]?.headers.authorization).toBe(`Bearer ${KEY}`);
    expect(stdout).not.toContain(KEY);
  });

  test.each<[string, Reply, object, string]>([
    ["nobody listens", able, { baseUrl: "http://127.0.0.1:1/v1" }, "is the server running"],
    ["the key is refused", fails(401), { apiKeyEnv: "LOCAL_KEY" }, "does not take the key in LOCAL_KEY"],
    ["there is no key", fails(401), { apiKeyEnv: "OTHER_KEY" }, "OTHER_KEY is not set"],
    ["a key is wanted", fails(401), {}, "name its environment variable in apiKeyEnv"],
    ["the path is wrong", fails(404), {}, "there is no /chat/completions"],
    ["the server is busy", fails(429), {}, "quota"],
    ["the request is refused", fails(400), {}, "max_completion_tokens"],
    ["the server is something else", sendsBody("<html>", "text/html"), {}, "OpenAI-compatible"],
  ])("says what to fix when %s", async (_, reply, settings, advice) => {
    const { exitCode, stdout, stderr } = await check(reply, settings);
    expect(exitCode).toBe(3);
    expect(stdout).toContain("local: fails");
    expect(stdout).toContain(advice);
    expect(stderr).toBe("error: no completion from local\n");
  });

  test("names the models that the server has when it is asked for another", async () => {
    const { exitCode, stdout } = await check(able, { model: "tny" });
    expect(exitCode).toBe(0);
    expect(stdout).toContain("fix: the server does not list `tny`; it has tiny, big");
  });

  test("takes the folder that every command takes", async () => {
    const { stderr } = await runInTerminal(["model", "check", "--data", "elsewhere"]);
    expect(stderr).toContain("no model servers are configured");
  });

  test.each([
    [["check", "locl"], "did you mean `local`?"],
    [["check", "local", "--models", "{}"], "no model servers are configured"],
  ])("%j is a mistake in the call", async (args, message) => {
    const env = { PARLEY_MODELS: JSON.stringify({ local: { baseUrl: mock.baseUrl, model: "tiny" } }) };
    const { exitCode, stderr } = await runInTerminal(["model", ...args], { env });
    expect(exitCode).toBe(2);
    expect(stderr).toContain(message);
  });
});
