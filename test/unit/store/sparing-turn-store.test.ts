import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { ConversationId, RequestId } from "../../../src/domain/ids.ts";
import { sha256 } from "../../../src/domain/sha256.ts";
import type { IdempotencyKey } from "../../../src/store/idempotency.ts";
import type { BotKey } from "../../../src/store/interface/bots.ts";
import type { EmbedTokenKey } from "../../../src/store/interface/embed-tokens.ts";
import { SparingTurnStore } from "../../../src/store/sparing-turn-store.ts";
import { SqliteStore } from "../../../src/store/sqlite/sqlite-store.ts";
import { shopBot } from "../../support/bots.ts";
import { issueToken } from "../../support/parley.ts";
import { turnWith } from "../../support/turns.ts";

const AT = Date.UTC(2026, 10, 30);
const MINUTE_MS = 60_000;

let dataDir: string;
let now: number;
let bot: BotKey;
let key: IdempotencyKey;
let store: SqliteStore;
let server: SparingTurnStore;
const opened: SqliteStore[] = [];

/** A server that keeps no message. */
async function start(): Promise<{ store: SqliteStore; server: SparingTurnStore }> {
  const started = new SqliteStore({ dataDir, now: () => now, busyTimeoutMs: 0 });
  opened.push(started);
  await started.giveBackUnfinished();
  const keeping = { messages: "none", redact: [] } as const;
  return { store: started, server: new SparingTurnStore(started, keeping, () => now) };
}

async function stopAll(): Promise<void> {
  for (const each of opened.splice(0)) await each[Symbol.asyncDispose]();
}

beforeEach(async () => {
  now = AT;
  dataDir = mkdtempSync(join(tmpdir(), "parley-test-"));
  ({ store, server } = await start());
  await store.bots.seed([shopBot()], { prune: false, dryRun: false });
  await issueToken(store, ["shop"]);
  bot = (await store.bots.find("shop"))!.key;
  key = { embedToken: 1 as EmbedTokenKey, keyHash: sha256("key"), bodyHash: sha256("body") };
});
afterEach(async () => {
  await stopAll();
  rmSync(dataDir, { recursive: true });
});

function record(to: SparingTurnStore, request: string) {
  const turn = turnWith({ requestId: request as RequestId, at: now, response: `answer of ${request}` });
  return to.recordTurn({ bot, conversationId: "cv_1" as ConversationId, turn, idempotencyKey: key });
}

describe("an answer that was not stored", () => {
  test("is remembered for its key by the server that gave it", async () => {
    expect(await record(server, "rq_1")).toBe("recorded");
    expect(await server.findEarlierAnswer(key, now)).toMatchObject({ turn: { response: "answer of rq_1" } });
    expect(await record(server, "rq_2")).toBe("key_taken");
    expect(await store.usage.read(bot, AT)).toBe(1);
  });

  test("is given anew after a restart, and counted, and that one is remembered", async () => {
    await record(server, "rq_1");
    await stopAll();
    const { store: next, server: restarted } = await start();
    expect(await restarted.findEarlierAnswer(key, now)).toBeUndefined();
    expect(await record(restarted, "rq_2")).toBe("recorded");
    expect(await restarted.findEarlierAnswer(key, now)).toMatchObject({
      turn: { response: "answer of rq_2" },
    });
    expect(await next.usage.read(bot, AT)).toBe(2);
  });

  test("is asked for again where another server may remember it, and given anew only when two minutes have passed", async () => {
    const { server: other } = await start();
    await record(server, "rq_1");
    expect(await record(other, "rq_2")).toBe("key_taken");
    const asked = () => other.findEarlierAnswer(key, now);
    await expect(asked()).rejects.toMatchObject({ errorCode: "STORAGE_UNAVAILABLE" });
    expect(await server.findEarlierAnswer(key, now)).toMatchObject({ turn: { response: "answer of rq_1" } });
    expect(await store.usage.read(bot, AT)).toBe(1);
    now += 2 * MINUTE_MS;
    expect(await asked()).toBeUndefined();
    expect(await record(other, "rq_3")).toBe("recorded");
  });

  test("that another turn has replaced meanwhile is not taken from its key", async () => {
    await record(server, "rq_1");
    await server.forgetAnswer(key, "rq_0" as RequestId);
    expect(await server.findEarlierAnswer(key, now)).toMatchObject({ turn: { response: "answer of rq_1" } });
  });
});

test("a key whose turn is being answered by a model is running, whatever is kept", async () => {
  const turn = turnWith({ requestId: "rq_1" as RequestId, at: now, state: "unanswered", response: "" });
  const begun = await server.beginTurn({
    bot,
    conversationId: "cv_1" as ConversationId,
    turn,
    idempotencyKey: key,
  });
  if (begun.outcome !== "begun") throw new Error(begun.outcome);
  expect(await server.findEarlierAnswer(key, now)).toMatchObject({ state: "running" });
  const answered = { ...turn, state: "complete" as const, response: "Hi." };
  const { key: turnKey, instance } = begun;
  const outcome = await server.finishTurn({
    key: turnKey,
    instance,
    conversationId: "cv_1" as ConversationId,
    bot,
    turn: answered,
    modelTokens: 7,
    isCounted: true,
    idempotencyKey: key,
  });
  expect(outcome).toBe("finished");
  expect(await server.findEarlierAnswer(key, now)).toMatchObject({ turn: { response: "Hi." } });
});
