import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { shopBot } from "../support/bots.ts";
import { type Reply, type TestModelServer, hangs, says, startModelServer } from "../support/model-server.ts";
import { type ChatResponseBody, issueToken } from "../support/parley.ts";
import { type ServerProcess, startServerProcess } from "../support/server-process.ts";
import { openTestStore } from "../support/store-under-test.ts";

const MESSAGE = { botId: "shop", input: "where is my order" };
const MODELLED = { ...MESSAGE, botId: "modelled" };
const PAIRS = 50;
const MODEL_MS = 300;
/** Short, so that the tests are; long enough for a busy machine. */
const LEASE = { beatEveryMs: 400, leaseMs: 2000 };

const dataDir = mkdtempSync(join(tmpdir(), "parley-test-"));
const { store, flags, drop } = await openTestStore(dataDir, Date.now);
let token: string;
let mock: TestModelServer;
let first: ServerProcess;
let second: ServerProcess;

beforeAll(async () => {
  const bots = [shopBot(), shopBot({ id: "modelled", responder: { kind: "model" } })];
  await store.bots.seed(bots, { prune: false, dryRun: false });
  token = await issueToken(store, ["shop", "modelled"]);
  mock = await startModelServer();
});
afterAll(async () => {
  await mock[Symbol.asyncDispose]();
  await store[Symbol.asyncDispose]();
  await drop();
  rmSync(dataDir, { recursive: true });
});

beforeEach(async () => {
  const start = () => startServerProcess({ store: flags, modelUrl: mock.baseUrl, lease: LEASE });
  first = await start();
  second = await start();
  mock.replyWith(thinks(MODEL_MS));
});
afterEach(async () => {
  await first[Symbol.asyncDispose]();
  await second[Symbol.asyncDispose]();
});

/** Answers after a while, with a number that no other answer has. */
function thinks(milliseconds: number): Reply {
  return async (response, request) => {
    const answer = `Answer ${mock.requests.length}.`;
    await Bun.sleep(milliseconds);
    await says(answer)(response, request);
  };
}

function send({ url }: ServerProcess, message: object, key?: string): Promise<Response> {
  return fetch(`${url}/chat`, {
    method: "POST",
    headers: {
      Authorization: `Bearer ${token}`,
      "Content-Type": "application/json",
      ...(key !== undefined && { "Idempotency-Key": key }),
    },
    body: JSON.stringify(message),
  });
}

const used = async (botId: string) => store.usage.read((await store.bots.find(botId))!.key, Date.now());
const bodyOf = async (response: Response) => (await response.json()) as ChatResponseBody;

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await Bun.sleep(5);
}

describe("of two servers on one folder, sent the same keys at once,", () => {
  test.each([
    ["a script", MESSAGE],
    ["a model", MODELLED],
  ])("both give one answer to each by %s, and it is counted once", async (_, message) => {
    const before = await used(message.botId);
    const pairs = await Promise.all(
      Array.from({ length: PAIRS }, async (__, n) => {
        const key = `${message.botId}-${n}`;
        const responses = await Promise.all([send(first, message, key), send(second, message, key)]);
        return Promise.all(responses.map(bodyOf));
      }),
    );
    for (const [one, other] of pairs) expect(other).toEqual(one);
    expect(new Set(pairs.map(([one]) => one!.conversationId)).size).toBe(PAIRS);
    expect(await used(message.botId)).toBe(before + PAIRS);
    if (message === MODELLED) expect(mock.requests).toHaveLength(PAIRS);
  });

  test("one refuses another message under a key that the other is answering", async () => {
    const answering = send(first, MODELLED, "reused");
    await until(() => mock.requests.length === 1);
    expect((await send(second, { ...MODELLED, input: "track my parcel" }, "reused")).status).toBe(422);
    expect((await answering).status).toBe(200);
  });

  test("one answers where the model has failed the other", async () => {
    const before = await used("modelled");
    mock.replyWith(async (response) => {
      await Bun.sleep(MODEL_MS);
      response.writeHead(400).end();
    }, says("Here I am."));
    const failing = send(first, MODELLED, "failing");
    await until(() => mock.requests.length === 1);
    const waiting = send(second, MODELLED, "failing");
    expect((await failing).status).toBe(502);
    expect(await bodyOf(await waiting)).toMatchObject({ response: "Here I am." });
    expect(await used("modelled")).toBe(before + 1);
  });
});

test("a server answers in the place of one that was killed in the middle of a model's answer", async () => {
  const before = await used("modelled");
  mock.replyWith(hangs(), says("Here I am."));
  const lost = send(first, MODELLED, "killed").catch(() => {});
  await until(() => mock.requests.length === 1);
  const waiting = send(second, MODELLED, "killed");
  first.process.kill("SIGKILL");
  await lost;
  expect(await used("modelled")).toBe(before + 1);
  expect(await bodyOf(await waiting)).toMatchObject({ response: "Here I am." });
  expect(await used("modelled")).toBe(before + 1);
});

test("what a killed server reserved is given back while another runs", async () => {
  const before = await used("modelled");
  mock.replyWith(hangs());
  const lost = send(first, MODELLED).catch(() => {});
  await until(() => mock.requests.length === 1);
  first.process.kill("SIGKILL");
  await lost;
  expect(await used("modelled")).toBe(before + 1);
  await until(async () => (await used("modelled")) === before);
});

test("a server that wakes after its lease counts once what it still answers, and leaves to another what that has answered", async () => {
  const before = await used("modelled");
  mock.replyWith(thinks(MODEL_MS));
  const frozen = [send(first, MODELLED), send(first, MODELLED, "frozen")] as const;
  await until(() => mock.requests.length === 2);
  first.process.kill("SIGSTOP");
  await until(async () => (await used("modelled")) === before);
  const answer = await bodyOf(await send(second, MODELLED, "frozen"));
  first.process.kill("SIGCONT");
  const [unkeyed, keyed] = await Promise.all(frozen);
  expect([unkeyed.status, keyed.status, keyed.headers.get("retry-after")]).toEqual([200, 503, "1"]);
  expect(await used("modelled")).toBe(before + 2);
  expect(await bodyOf(await send(first, MODELLED, "frozen"))).toEqual(answer);
  expect(await used("modelled")).toBe(before + 2);
});
