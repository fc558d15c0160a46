import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { ConversationId, RequestId } from "../../../src/domain/ids.ts";
import { SqliteStore } from "../../../src/store/sqlite/sqlite-store.ts";
import { sweepExpired } from "../../../src/store/sweep-expired.ts";
import { shopBot } from "../../support/bots.ts";
import { turnWith } from "../../support/turns.ts";

const START = Date.UTC(2026, 10, 22);
const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;
const RETENTION_MS = 30 * DAY_MS;
const CONVERSATION = "cv_1" as ConversationId;

let dataDir: string;
let store: SqliteStore;
let lines: string[];
let stopped: boolean[];
/** The wall clock, which may jump, and the one that nobody sets. */
const clock = { wall: START, steady: 0 };

const open = () => new SqliteStore({ dataDir, now: () => clock.wall, busyTimeoutMs: 0 });

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), "parley-test-"));
  Object.assign(clock, { wall: START, steady: 0 });
  lines = [];
  stopped = [];
  store = open();
  await store.bots.seed([shopBot()], { prune: false, dryRun: false });
  const bot = (await store.bots.find("shop"))!.key;
  const turn = turnWith({ requestId: "rq_1" as RequestId, at: START, state: "complete", response: "Hi." });
  const idempotencyKey = await keyOf(store);
  await store.recordTurn({ bot, conversationId: CONVERSATION, turn, idempotencyKey });
});
afterEach(() => store[Symbol.asyncDispose]());

async function keyOf({ embedTokens }: SqliteStore) {
  const hash = new Uint8Array(32).fill(1);
  await embedTokens.create({ id: "et_1" as never, hash, botIds: ["shop" as never] });
  return { embedToken: (await embedTokens.findByHash(hash))!.key, keyHash: hash, bodyHash: hash };
}

/** Runs a server's sweep for a few sweeps before something happens, and for a few after. */
async function serve(during: () => unknown = () => {}): Promise<void> {
  const note = (fields: unknown, message = fields) => void lines.push(String(message));
  let sweeps = 0;
  const readHeartbeat = () => {
    sweeps += 1;
    return store.readHeartbeat();
  };
  const stop = sweepExpired({
    store: {
      health: store.health,
      readHeartbeat,
      beatClock: (at) => store.beatClock(at),
      deleteExpired: (now, notBefore) => store.deleteExpired(now, notBefore),
    },
    log: { info: note, warn: note, error: note },
    now: () => clock.wall,
    steadyNow: () => clock.steady,
    conversationsNotBefore: () => clock.wall - RETENTION_MS,
    onStopped: (isStopped) => stopped.push(isStopped),
    everyMs: 2,
  });
  const aFew = async (goal = sweeps + 4) => {
    while (sweeps < goal) await Bun.sleep(2);
  };
  await aFew();
  await during();
  await aFew();
  stop();
}

const pass = (ms: number) => {
  clock.wall += ms;
  clock.steady += ms;
};
const isKept = async () => (await store.conversations.listTurns(CONVERSATION)).length > 0;
const keysKept = async () => {
  const found = await store.findEarlierAnswer(
    { embedToken: 1 as never, keyHash: new Uint8Array(32).fill(1), bodyHash: new Uint8Array(32) },
    START,
  );
  return found !== undefined;
};

describe("a clock that jumps forward erases nothing", () => {
  test("under a running server: neither conversations nor idempotency keys", async () => {
    await serve(() => (clock.wall += 2 * 365 * DAY_MS));
    expect([await isKept(), await keysKept()]).toEqual([true, true]);
    expect(lines).toEqual([expect.stringMatching(/48 hours ahead .*`parley doctor --confirm-clock`/)]);
    expect(stopped).toEqual([true]);
  });

  test("while the server was off", async () => {
    await serve();
    clock.wall += 40 * DAY_MS;
    await serve();
    expect(await isKept()).toBe(true);
    expect(await store.clockState(clock.wall)).toMatchObject({ heartbeatAt: START, isTrusted: false });
  });

  test("until an operator confirms the clock", async () => {
    await serve(() => (clock.wall += 40 * DAY_MS));
    const command = open();
    await serve(() => command.confirmClock(clock.wall));
    await command[Symbol.asyncDispose]();
    expect([await isKept(), await keysKept()]).toEqual([false, false]);
    expect(await store.clockState(clock.wall)).toEqual({
      heartbeatAt: clock.wall,
      aheadMs: 0,
      isTrusted: true,
    });
    expect(stopped).toEqual([true, true, false]);
  });

  test("or until it is back", async () => {
    await serve(() => (clock.wall += 40 * DAY_MS));
    clock.wall -= 40 * DAY_MS;
    await serve();
    expect((await store.clockState(clock.wall)).isTrusted).toBe(true);
    expect(await isKept()).toBe(true);
  });

  test("nor models that no bot has, when a bot is seeded", async () => {
    const model = { model: new Uint8Array([1]) };
    const models = { idOf: new Map([["shop", "m1"]]), trained: new Map([["m1", model]]), encoder: "e" };
    await store.bots.seed([shopBot()], { prune: false, dryRun: false }, models);
    await serve();
    const reseed = () =>
      store.bots.seed(
        [shopBot()],
        { prune: false, dryRun: false },
        { idOf: new Map([["shop", "m2"]]), trained: new Map([["m2", model]]), encoder: "e" },
      );
    await reseed();
    clock.wall += 365 * DAY_MS;
    await reseed();
    expect(await store.hasIntentModel("m1")).toBe(true);
    await store.confirmClock(clock.wall);
    await reseed();
    expect(await store.hasIntentModel("m1")).toBe(false);
  });
});

describe("time that passes erases what has expired", () => {
  test("while the server runs", async () => {
    await serve(() => pass(RETENTION_MS + DAY_MS));
    expect(await isKept()).toBe(false);
    expect(lines).toEqual([]);
  });

  test("where the server was off for less than two days", async () => {
    await serve(() => pass(RETENTION_MS - HOUR_MS));
    clock.wall += 40 * HOUR_MS;
    expect(await isKept()).toBe(true);
    await serve();
    expect(await isKept()).toBe(false);
  });

  test("on a machine that starts in 1970 and is set right later", async () => {
    await serve();
    clock.wall = 0;
    await serve(() => (clock.wall = START + HOUR_MS));
    expect(await store.clockState(clock.wall)).toMatchObject({ isTrusted: true });
    expect(stopped).toEqual([]);
    expect(await isKept()).toBe(true);
  });
});
