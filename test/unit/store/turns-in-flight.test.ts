import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { Turn } from "../../../src/domain/conversation.ts";
import type { ConversationId, RequestId } from "../../../src/domain/ids.ts";
import type { BotKey } from "../../../src/store/interface/bots.ts";
import type { Store } from "../../../src/store/interface/store.ts";
import { SqliteStore } from "../../../src/store/sqlite/sqlite-store.ts";
import type { BegunTurn } from "../../../src/store/turn-store.ts";
import { shopBot } from "../../support/bots.ts";
import { isOnPostgres, openTestStore } from "../../support/store-under-test.ts";
import { turnWith } from "../../support/turns.ts";

const AT = Date.UTC(2026, 10, 30, 23, 59);
const NEXT_MONTH = Date.UTC(2026, 11, 1);
const CONVERSATION = "cv_1" as ConversationId;
let store: Store;
let bot: BotKey;

beforeEach(async () => {
  ({ store } = await openTestStore(":memory:", () => AT));
  await store.bots.seed([shopBot()], { prune: false, dryRun: false });
  bot = (await store.bots.find("shop"))!.key;
});
afterEach(() => store[Symbol.asyncDispose]());

function turnOf(fields: Partial<Turn> = {}): Turn {
  return turnWith({ requestId: "rq_1" as RequestId, at: AT, state: "unanswered", response: "", ...fields });
}

async function begin(
  limits: { monthlyMessageCap?: number; monthlyTokenBudget?: number } = {},
): Promise<BegunTurn> {
  const begun = await store.beginTurn({ bot, conversationId: CONVERSATION, turn: turnOf(), ...limits });
  if (begun.outcome !== "begun") throw new Error(begun.outcome);
  return { key: begun.key, instance: begun.instance };
}

const answered = turnOf({ state: "complete", response: "Hi." });
const used = (at = AT) => store.usage.read(bot, at);
const stored = () => store.conversations.listTurns(CONVERSATION);

describe("a turn in two transactions", () => {
  test("is stored and counted before its answer, and once with it", async () => {
    const begun = await begin();
    expect(await used()).toBe(1);
    expect(await stored()).toMatchObject([{ state: "unanswered", input: "hello", response: "" }]);
    await store.finishTurn({
      ...begun,
      conversationId: CONVERSATION,
      bot,
      turn: answered,
      modelTokens: 30,
      isCounted: true,
    });
    expect(await used()).toBe(1);
    expect(await store.usage.readTokens(bot, AT)).toBe(30);
    expect(await stored()).toMatchObject([{ state: "complete", response: "Hi." }]);
  });

  test("that fails is given back in the month in which it was counted", async () => {
    const begun = await begin();
    await store.finishTurn({
      ...begun,
      conversationId: CONVERSATION,
      bot,
      turn: turnOf({ at: NEXT_MONTH }),
      modelTokens: 0,
      isCounted: false,
    });
    expect([await used(), await used(NEXT_MONTH)]).toEqual([0, 0]);
  });

  test("holds its place under the cap", async () => {
    await begin({ monthlyMessageCap: 1 });
    const second = await store.beginTurn({
      bot,
      conversationId: CONVERSATION,
      turn: turnOf({ requestId: "rq_2" as RequestId }),
      monthlyMessageCap: 1,
    });
    expect(second).toEqual({ outcome: "cap_reached" });
    expect(await stored()).toHaveLength(1);
  });

  test("is not begun once the token budget is spent", async () => {
    const begun = await begin({ monthlyTokenBudget: 30 });
    await store.finishTurn({
      ...begun,
      conversationId: CONVERSATION,
      bot,
      turn: answered,
      modelTokens: 30,
      isCounted: true,
    });
    const next = { bot, conversationId: CONVERSATION, turn: turnOf({ requestId: "rq_2" as RequestId }) };
    expect(await store.beginTurn({ ...next, monthlyTokenBudget: 30 })).toEqual({ outcome: "budget_spent" });
    expect(await store.beginTurn({ ...next, monthlyTokenBudget: 31 })).toMatchObject({ outcome: "begun" });
  });

  // By its lease, where other servers may live: see the tests of several servers on PostgreSQL.
  test.skipIf(isOnPostgres)("that nobody finished is given back once", async () => {
    await begin();
    expect(await store.giveBackUnfinished()).toBe(1);
    expect(await store.giveBackUnfinished()).toBe(0);
    expect(await used()).toBe(0);
    expect(await stored()).toMatchObject([{ state: "unanswered" }]);
  });

  // On one folder, whose lock tells whether another runs.
  test.skipIf(isOnPostgres)(
    "of a server that runs is not given back by another that starts, and at once when none runs",
    async () => {
      const dataDir = mkdtempSync(join(tmpdir(), "parley-test-"));
      const open = () => new SqliteStore({ dataDir, now: () => AT, busyTimeoutMs: 0 });
      const first = open();
      await first.bots.seed([shopBot()], { prune: false, dryRun: false });
      expect(await first.giveBackUnfinished()).toBe(0);
      await first.beginTurn({ bot, conversationId: CONVERSATION, turn: turnOf() });
      const second = open();
      expect(await second.giveBackUnfinished()).toBe(0);
      expect([first.isShared, second.isShared]).toEqual([false, true]);
      await first[Symbol.asyncDispose]();
      await second[Symbol.asyncDispose]();
      const third = open();
      expect(await third.giveBackUnfinished()).toBe(1);
      expect(third.isShared).toBe(false);
      await third[Symbol.asyncDispose]();
    },
  );

  test("stays erased when its conversation is erased meanwhile", async () => {
    const begun = await begin();
    await store.erasure.erase([{ id: CONVERSATION }], {});
    await store.finishTurn({
      ...begun,
      conversationId: CONVERSATION,
      bot,
      turn: answered,
      modelTokens: 5,
      isCounted: true,
    });
    expect(await stored()).toEqual([]);
    expect(await store.usage.readTokens(bot, AT)).toBe(5);
  });

  // PostgreSQL gives no key twice.
  test.skipIf(isOnPostgres)("leaves alone a later turn that has taken the key of an erased one", async () => {
    const begun = await begin();
    await store.erasure.erase([{ id: CONVERSATION }], {});
    const later = turnOf({ requestId: "rq_2" as RequestId, input: "and mine?" });
    expect(await store.beginTurn({ bot, conversationId: CONVERSATION, turn: later })).toEqual({
      outcome: "begun",
      ...begun,
    });
    await store.finishTurn({
      ...begun,
      conversationId: CONVERSATION,
      bot,
      turn: answered,
      modelTokens: 0,
      isCounted: false,
    });
    expect(await stored()).toMatchObject([{ state: "unanswered", input: "and mine?", response: "" }]);
    expect(await store.giveBackUnfinished()).toBe(1);
  });

  test("ends in peace when its bot is deleted meanwhile", async () => {
    const begun = await begin();
    await store.bots.delete("shop");
    await store.finishTurn({
      ...begun,
      conversationId: CONVERSATION,
      bot,
      turn: answered,
      modelTokens: 5,
      isCounted: true,
    });
    expect(await stored()).toEqual([]);
  });

  test("is not begun for a bot that is gone, even without a cap", async () => {
    await store.bots.delete("shop");
    const late = { bot, conversationId: CONVERSATION, turn: turnOf() };
    expect(await store.beginTurn(late)).toEqual({ outcome: "bot_deleted" });
    expect(await store.recordTurn(late)).toBe("bot_deleted");
  });
});

test("vectors come back as they were saved", async () => {
  const hash = new Uint8Array(32).fill(7);
  await store.saveEmbeddings("m", new Map([[hash, Float32Array.of(0.25, -1, 3)]]));
  expect(await store.findEmbedding("m", hash)).toEqual(Float32Array.of(0.25, -1, 3));
  expect(await store.findEmbedding("other", hash)).toBeUndefined();
});
