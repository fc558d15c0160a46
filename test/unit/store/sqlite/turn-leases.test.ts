import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { Turn } from "../../../../src/domain/conversation.ts";
import type { ConversationId, RequestId } from "../../../../src/domain/ids.ts";
import { sha256 } from "../../../../src/domain/sha256.ts";
import type { IdempotencyKey } from "../../../../src/store/idempotency.ts";
import type { BotKey } from "../../../../src/store/interface/bots.ts";
import type { EmbedTokenKey } from "../../../../src/store/interface/embed-tokens.ts";
import { Sqlite } from "../../../../src/store/sqlite/driver.ts";
import { claimFolder } from "../../../../src/store/sqlite/folder-claim.ts";
import { SqliteStore } from "../../../../src/store/sqlite/sqlite-store.ts";
import type { BegunTurn, FinishOutcome } from "../../../../src/store/turn-store.ts";
import { shopBot } from "../../../support/bots.ts";
import { issueToken } from "../../../support/parley.ts";
import { turnWith } from "../../../support/turns.ts";

const AT = Date.UTC(2026, 10, 30);
const TWO_YEARS_MS = 2 * 365 * 24 * 60 * 60 * 1000;
const BEAT_MS = 3000;
const LEASE_MS = 15_000;
const CONVERSATION = "cv_1" as ConversationId;

/** Steady time of all servers, and the wall clock, which may jump. */
const clock = { steadyMs: 0, wallMs: AT };
const steadyNow = () => clock.steadyMs;
const opened: SqliteStore[] = [];
let dataDir: string;
let first: SqliteStore;
let second: SqliteStore;
let bot: BotKey;
let key: IdempotencyKey;

async function start(onCommit?: () => void): Promise<SqliteStore> {
  const lease = { beatEveryMs: BEAT_MS, leaseMs: LEASE_MS };
  const store = new SqliteStore({
    dataDir,
    now: () => clock.wallMs,
    busyTimeoutMs: 0,
    lease,
    ...(onCommit && { onCommit }),
  });
  opened.push(store);
  await store.giveBackUnfinished();
  return store;
}

beforeEach(async () => {
  Object.assign(clock, { steadyMs: 0, wallMs: AT });
  dataDir = mkdtempSync(join(tmpdir(), "parley-test-"));
  first = await start();
  await first.bots.seed([shopBot()], { prune: false, dryRun: false });
  await issueToken(first, ["shop"]);
  second = await start();
  bot = (await second.bots.find("shop"))!.key;
  key = { embedToken: 1 as EmbedTokenKey, keyHash: sha256("key"), bodyHash: sha256("body") };
});
afterEach(async () => {
  for (const store of opened.splice(0)) await store[Symbol.asyncDispose]();
  rmSync(dataDir, { recursive: true });
});

function turnOf(request: string, fields: Partial<Turn> = {}): Turn {
  return turnWith({
    requestId: request as RequestId,
    at: clock.wallMs,
    state: "unanswered",
    response: "",
    ...fields,
  });
}

/** Ends a turn of `rq_1` with an answer. */
function finish(store: SqliteStore, begun: BegunTurn, fields: object = {}): Promise<FinishOutcome> {
  const turn = turnOf("rq_1", { state: "complete", response: "Hi." });
  return store.finishTurn({
    ...begun,
    conversationId: CONVERSATION,
    bot,
    turn,
    modelTokens: 7,
    isCounted: true,
    ...fields,
  });
}

async function begin(store: SqliteStore, request = "rq_1", fields: object = {}): Promise<BegunTurn> {
  const begun = await store.beginTurn({
    bot,
    conversationId: CONVERSATION,
    turn: turnOf(request),
    ...fields,
  });
  if (begun.outcome !== "begun") throw new Error(begun.outcome);
  return { key: begun.key, instance: begun.instance };
}

/** Lets time go by, in which only `living` renew their leases. @returns how many turns were given back. */
async function pass(milliseconds: number, ...living: SqliteStore[]): Promise<number> {
  let turns = 0;
  for (const endMs = clock.steadyMs + milliseconds; clock.steadyMs < endMs;) {
    clock.steadyMs += BEAT_MS;
    for (const store of living) turns += (await store.renewLease(steadyNow)).turnsGivenBack;
  }
  return turns;
}

const used = () => second.usage.read(bot, AT);
const stored = () => second.conversations.listTurns(CONVERSATION);

describe("an unfinished turn of a server that has died beside another", () => {
  test("is given back when the lease has run out, and not before", async () => {
    await begin(first);
    expect(await pass(LEASE_MS, second)).toBe(0);
    expect(await used()).toBe(1);
    expect(await pass(BEAT_MS, second)).toBe(1);
    expect(await used()).toBe(0);
    expect(await stored()).toMatchObject([{ state: "unanswered" }]);
  });

  test("is given back once, however many look", async () => {
    await begin(first);
    await begin(first, "rq_2");
    await begin(second, "rq_3");
    const third = await start();
    expect(await pass(3 * LEASE_MS, second, third)).toBe(2);
    expect(await used()).toBe(1);
  });

  test("is given back by one that starts later, which sees the lease run out itself", async () => {
    await begin(first);
    const third = await start();
    expect(await used()).toBe(1);
    expect(await pass(LEASE_MS + BEAT_MS, third)).toBe(1);
    expect(await used()).toBe(0);
  });
});

describe("a server that lives beside another", () => {
  test("keeps its turns for as long as it takes", async () => {
    const begun = await begin(first);
    expect(await pass(20 * LEASE_MS, first, second)).toBe(0);
    expect(await finish(first, begun)).toBe("finished");
    expect(await used()).toBe(1);
  });

  test("keeps its turns when the wall clock jumps, forwards or back", async () => {
    await begin(first);
    for (const jumpMs of [TWO_YEARS_MS, -2 * TWO_YEARS_MS]) {
      clock.wallMs += jumpMs;
      expect(await pass(2 * LEASE_MS, first, second)).toBe(0);
    }
    expect(await used()).toBe(1);
  });

  test("leaves nothing for others when it is stopped", async () => {
    await finish(first, await begin(first));
    await first[Symbol.asyncDispose]();
    opened.shift();
    let deadServers = 0;
    for (; clock.steadyMs < 2 * LEASE_MS; clock.steadyMs += BEAT_MS) {
      deadServers += (await second.renewLease(steadyNow)).deadServers;
    }
    expect(deadServers).toBe(0);
    expect(await used()).toBe(1);
  });

  test("hides from whoever wants the folder for itself", async () => {
    const file = join(dataDir, "parley.lock");
    expect(claimFolder(file)).toBeUndefined();
    await first[Symbol.asyncDispose]();
    expect(claimFolder(file)).toBeUndefined();
    await second[Symbol.asyncDispose]();
    opened.splice(0);
    const claim = claimFolder(file);
    expect(claim).toBeDefined();
    claim?.close();
  });

  test("is not taken for dead by one that starts when the first of them has stopped", async () => {
    await begin(second);
    await first[Symbol.asyncDispose]();
    opened.shift();
    const third = await start();
    expect(third.isShared).toBe(true);
    expect(await used()).toBe(1);
  });
});

test("a server does not start while another process keeps the folder for itself, and starts when it has ended", async () => {
  for (const store of opened.splice(0)) await store[Symbol.asyncDispose]();
  const restoring = claimFolder(join(dataDir, "parley.lock"));
  await expect(start()).rejects.toThrow(
    /parley\.lock for itself, as `parley restore` does; start the server when/,
  );
  const waiting = start();
  await Bun.sleep(200);
  restoring?.close();
  second = await waiting;
  expect(await second.bots.list()).toHaveLength(1);
}, 120_000);

test("a server alone on its folder writes nothing to renew its lease", async () => {
  for (const store of opened.splice(0)) await store[Symbol.asyncDispose]();
  let commits = 0;
  const alone = await start(() => (commits += 1));
  second = alone;
  commits = 0;
  await pass(2 * LEASE_MS, alone);
  expect(commits).toBe(0);
});

describe("a server that was frozen for longer than its lease", () => {
  test("counts once what it answers when it wakes", async () => {
    const begun = await begin(first);
    await pass(2 * LEASE_MS, second);
    expect(await used()).toBe(0);
    expect(await finish(first, begun)).toBe("finished");
    expect(await used()).toBe(1);
    expect(await stored()).toMatchObject([{ state: "complete", response: "Hi." }]);
    expect(await second.usage.readTokens(bot, AT)).toBe(7);
  });

  test("is told so, and goes on under a lease of its own", async () => {
    await begin(first);
    await pass(2 * LEASE_MS, second);
    expect((await first.renewLease(steadyNow)).wasTakenForDead).toBe(true);
    await begin(first, "rq_2");
    expect(await pass(2 * LEASE_MS, first, second)).toBe(0);
    expect(await used()).toBe(1);
    expect(await pass(2 * LEASE_MS, second)).toBe(1);
  });

  test("begins no turn that nobody would give back", async () => {
    await pass(2 * LEASE_MS, second);
    await begin(first);
    expect(await pass(2 * LEASE_MS, second)).toBe(1);
    expect(await used()).toBe(0);
  });

  test("answers no more than the cap has room for", async () => {
    const begun = await begin(first, "rq_1", { monthlyMessageCap: 1 });
    await pass(2 * LEASE_MS, second);
    await begin(second, "rq_2", { monthlyMessageCap: 1 });
    expect(await finish(first, begun, { monthlyMessageCap: 1 })).toBe("cap_reached");
    expect(await finish(first, begun, { turn: turnOf("rq_1"), isCounted: false })).toBe("finished");
    expect(await used()).toBe(1);
    expect(await second.usage.readTokens(bot, AT)).toBe(7);
    expect(await stored()).toMatchObject([{ state: "unanswered" }, { state: "unanswered" }]);
  });

  test("counts what it answers although the conversation was given back and erased", async () => {
    const begun = await begin(first, "rq_1", { idempotencyKey: key });
    await pass(2 * LEASE_MS, second);
    await second.erasure.erase([{ id: CONVERSATION }], {});
    expect(await finish(first, begun, { idempotencyKey: key })).toBe("finished");
    expect(await used()).toBe(1);
    expect(await stored()).toEqual([]);
  });

  test("does not count a message that it gives back itself", async () => {
    const begun = await begin(first);
    await pass(2 * LEASE_MS, second);
    await begin(second, "rq_2");
    await finish(first, begun, { isCounted: false });
    expect(await used()).toBe(1);
  });
});

describe("an idempotency key", () => {
  const record = (store: SqliteStore, request: string) =>
    store.recordTurn({
      bot,
      conversationId: CONVERSATION,
      turn: turnOf(request, { state: "complete", response: request }),
      idempotencyKey: key,
    });

  test("is taken by one of those who write at the same time", async () => {
    const outcomes = await Promise.all([
      record(first, "rq_1"),
      record(second, "rq_2"),
      record(first, "rq_3"),
    ]);
    expect(outcomes.toSorted()).toEqual(["key_taken", "key_taken", "recorded"]);
    expect(await used()).toBe(1);
    expect(await stored()).toHaveLength(1);
  });

  test("is running from the beginning of its turn to its answer", async () => {
    const begun = await begin(first, "rq_1", { idempotencyKey: key });
    expect(await second.findEarlierAnswer(key, AT)).toEqual({ state: "running", bodyHash: key.bodyHash });
    expect(await record(second, "rq_2")).toBe("key_taken");
    await finish(first, begun, { idempotencyKey: key });
    expect(await second.findEarlierAnswer(key, AT)).toMatchObject({
      state: "answered",
      turn: { response: "Hi." },
    });
    expect(await used()).toBe(1);
  });

  test("is running for as long as its turn is, whatever the wall clock says", async () => {
    await begin(first, "rq_1", { idempotencyKey: key });
    clock.wallMs += TWO_YEARS_MS;
    await second.deleteExpired(clock.wallMs, 0);
    expect(await second.findEarlierAnswer(key, clock.wallMs)).toMatchObject({ state: "running" });
  });

  test("is free again when its turn was not answered", async () => {
    const begun = await begin(first, "rq_1", { idempotencyKey: key });
    await finish(first, begun, { turn: turnOf("rq_1"), isCounted: false, idempotencyKey: key });
    expect(await second.findEarlierAnswer(key, AT)).toBeUndefined();
    expect(await record(second, "rq_2")).toBe("recorded");
    expect(await used()).toBe(1);
  });

  test("is free again when its server has died, and a server that wakes does not answer it a second time", async () => {
    const begun = await begin(first, "rq_1", { idempotencyKey: key });
    await pass(LEASE_MS + BEAT_MS, second);
    expect(await record(second, "rq_2")).toBe("recorded");
    expect(await finish(first, begun, { idempotencyKey: key })).toBe("key_taken");
    expect(await used()).toBe(1);
    expect(await first.findEarlierAnswer(key, AT)).toMatchObject({ turn: { response: "rq_2" } });
  });

  test("is answered by a server that wakes where nobody else has", async () => {
    const begun = await begin(first, "rq_1", { idempotencyKey: key });
    await pass(LEASE_MS + BEAT_MS, second);
    expect(await finish(first, begun, { idempotencyKey: key })).toBe("finished");
    expect(await record(second, "rq_2")).toBe("key_taken");
    expect(await used()).toBe(1);
  });
});

test("a turn that could not be given back is given back with the next heartbeat that can be written", async () => {
  const begun = await begin(first, "rq_1", { idempotencyKey: key });
  const other = new Sqlite(join(dataDir, "parley.db"));
  other.exec("BEGIN IMMEDIATE");
  const failed = finish(first, begun, { turn: turnOf("rq_1"), isCounted: false, idempotencyKey: key });
  await expect(failed).rejects.toMatchObject({ errorCode: "STORAGE_UNAVAILABLE" });
  other.close();
  expect(await used()).toBe(1);
  expect(await pass(BEAT_MS, first)).toBe(1);
  expect(await first.findEarlierAnswer(key, AT)).toBeUndefined();
  expect(await used()).toBe(0);
  expect(await pass(BEAT_MS, first)).toBe(0);
}, 120_000);
