import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import {
  type ConversationId,
  newDeliveryId,
  newEmbedTokenId,
  type RequestId,
  secureRandomBytes,
} from "../../../src/domain/ids.ts";
import { eraseDeleted, eraseDeletedBehind } from "../../../src/operate/erase.ts";
import type { BotKey } from "../../../src/store/interface/bots.ts";
import type { Store } from "../../../src/store/interface/store.ts";
import { shopBot } from "../../support/bots.ts";
import { eventually } from "../../support/eventually.ts";
import { askPerson } from "../../support/people.ts";
import { openTestStore, type TestStore } from "../../support/store-under-test.ts";
import { turnWith } from "../../support/turns.ts";

const NOW = Date.UTC(2026, 10, 21, 12);
const SEED = { prune: false, dryRun: false };
const AT_ONCE = { rows: 20, pauseMs: 0 };
const HASH = new Uint8Array(32).fill(7);

let folder: string;
let opened: TestStore;
let store: Store;
let shop: BotKey;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "parley-deleted-"));
  opened = await openTestStore(folder, () => NOW);
  ({ store } = opened);
  await store.bots.seed([shopBot(), shopBot({ id: "other" })], SEED);
  shop = (await store.bots.find("shop"))!.key;
});
afterEach(async () => {
  await store[Symbol.asyncDispose]();
  await opened.drop();
  rmSync(folder, { recursive: true });
});

async function say(bot: BotKey, conversation: string): Promise<unknown> {
  const requestId = `rq_${conversation}` as RequestId;
  const turn = turnWith({ requestId, at: NOW, input: "where is my order" });
  return store.recordTurn({ bot, conversationId: conversation as ConversationId, turn });
}

/** A bot with something of every kind. */
async function fill(): Promise<void> {
  await store.embedTokens.create({
    id: newEmbedTokenId(NOW, secureRandomBytes),
    hash: HASH,
    botIds: [shopBot().id],
  });
  await say(shop, "cv_1");
  await say(shop, "cv_2");
  await store.analytics.countTurns(100);
  const delivery = { channel: "webhook", target: "crm", event: "handoff.requested" } as const;
  await askPerson(store, {
    conversationId: "cv_1" as ConversationId,
    at: NOW,
    deliveries: [{ ...delivery, id: newDeliveryId(NOW, secureRandomBytes) }],
  });
  await store.botDrafts.save(shop, { yaml: "id: shop", baseVersion: 1 }, "none");
}

/** Everything that tells of a bot whose id or conversations are known, or of all bots. */
async function seen(): Promise<unknown> {
  const listed = await store.analytics.listConversations({ words: [], limit: 10 });
  const found = await Array.fromAsync(store.conversationSearch.find({ text: "order" }));
  return {
    bots: (await store.bots.list()).map(({ id }) => String(id)),
    outlines: (await store.bots.outline()).map(({ id }) => String(id)),
    enabled: (await store.bots.listEnabled()).map(({ id }) => String(id)),
    others: (await store.bots.listOthers([])).map(({ id }) => String(id)),
    found: (await store.bots.find("shop")) !== undefined,
    granted: (await store.embedTokens.list()).flatMap(({ botIds }) => botIds).map(String),
    grantedByHash: (await store.findEmbedToken(HASH))?.botIds.map(String),
    listed: listed.items.length,
    searched: found.length,
    head: (await store.conversations.findHead("cv_1")) !== undefined,
    turns: (await store.conversations.listTurns("cv_1")).length,
    turn: (await store.conversations.findTurnByRequest("rq_cv_1")) !== undefined,
    handoffs: (await store.handoffs.list({ limit: 10 })).length,
    waiting: await store.handoffs.countWaiting(),
    open: (await store.handoffs.findOpen("cv_1")) !== undefined,
    deliveries: (await store.outbox.list({ limit: 10 })).length,
    chosen: (await store.erasure.choose({ text: "order" })).length,
    erased: (await store.erasure.erase([{ id: "cv_none" }, { id: "cv_1" }], { idleSince: NOW + 1 }))
      .conversations,
    due: (await store.outbox.claim({ event: "handoff.requested", now: NOW, leaseMs: 0, limit: 1 })).length,
    usage: (await store.readUsage([shop], NOW)).size,
    draft: (await store.botDrafts.find(shop)) !== undefined,
  };
}

const NOTHING = {
  bots: ["other"],
  outlines: ["other"],
  enabled: ["other"],
  others: ["other"],
  found: false,
  granted: [],
  grantedByHash: [],
  listed: 0,
  searched: 0,
  head: false,
  turns: 0,
  turn: false,
  handoffs: 0,
  waiting: 0,
  open: false,
  deliveries: 0,
  chosen: 0,
  erased: 0,
  due: 0,
  usage: 0,
  draft: false,
};

const rowsLeft = async (table: string) => (await opened.runSql(`SELECT 1 FROM ${table}`)).length;

describe("a deleted bot", () => {
  test("is found by nobody from the commit on, nor anything of it, though all of it is still to be erased", async () => {
    await fill();
    expect(await store.bots.delete("shop")).toBe(true);
    expect(await seen()).toEqual(NOTHING);
    expect(await rowsLeft("conversations")).toBe(2);
    expect(await store.bots.delete("shop")).toBe(false);
  });

  test("leaves nothing, once what it left is erased", async () => {
    await fill();
    await store.bots.delete("shop");
    await eraseDeleted(store, { pace: AT_ONCE });
    expect(await store.bots.listDeleted()).toEqual([]);
    for (const table of ["conversations", "turns", "handoffs", "deliveries", "bot_drafts", "monthly_usage"])
      expect([table, await rowsLeft(table)]).toEqual([table, 0]);
    expect(await rowsLeft("bot_rows")).toBe(1);
    expect(await rowsLeft("bot_versions")).toBe(1);
  });

  test("takes no message, also where it has counted some", async () => {
    await fill();
    await store.bots.delete("shop");
    expect(await say(shop, "cv_3")).toBe("bot_deleted");
  });

  test("frees its id at once: the next bot of that name has nothing of it, and nothing of the next is erased", async () => {
    await fill();
    await store.bots.delete("shop");
    const [outcome] = await store.bots.seed([shopBot()], SEED);
    expect(outcome).toEqual({ botId: shopBot().id, change: "created" });
    const next = (await store.bots.find("shop"))!;
    expect(next).toMatchObject({ version: 1 });
    expect(next.key).not.toBe(shop);
    expect((await store.findEmbedToken(HASH))?.botIds).toEqual([]);
    expect(await store.conversations.count(next.key)).toEqual({ conversations: 0, messages: 0 });
    await say(next.key, "cv_new");
    await eraseDeleted(store, { pace: AT_ONCE });
    expect(await store.conversations.count(next.key)).toEqual({ conversations: 1, messages: 1 });
    await store.bots.delete("shop");
    await eraseDeleted(store, { pace: AT_ONCE });
    expect(await rowsLeft("conversations")).toBe(0);
  });

  test("is erased in steps, between which others write; what is broken off, another goes on with", async () => {
    await fill();
    await store.bots.delete("shop");
    const other = (await store.bots.find("other"))!.key;
    const stop = new AbortController();
    const steps: string[] = [];
    await eraseDeleted(store, {
      pace: { rows: 1, pauseMs: 0 },
      signal: stop.signal,
      onStep: ({ id }) => {
        steps.push(id);
        stop.abort();
      },
    });
    expect(steps).toEqual(["shop"]);
    expect(await say(other, "cv_other")).toBe("recorded");
    await using another = await opened.openAnother();
    const [left] = await another.bots.listDeleted();
    expect([left?.id, left?.conversations]).toEqual([shopBot().id, 1]);
    await eraseDeleted(another, { pace: AT_ONCE });
    expect(await store.bots.listDeleted()).toEqual([]);
    expect(await store.conversations.count(other)).toEqual({ conversations: 1, messages: 1 });
  });

  test("is erased by whichever server runs, also one that starts later", async () => {
    await fill();
    await store.bots.delete("shop");
    await using server = await opened.openAnother();
    const errors: unknown[] = [];
    const log = { error: (fields: unknown) => errors.push(fields) } as never;
    const stop = eraseDeletedBehind({ store: server, log, everyMs: 1 });
    await eventually(async () => (await store.bots.listDeleted()).length === 0);
    stop();
    expect(errors).toEqual([]);
    expect(await rowsLeft("conversations")).toBe(0);
  });

  test("that is pruned is found by nobody from the commit on, and one that is not pruned keeps everything", async () => {
    await fill();
    await store.bots.seed([shopBot({ id: "other" })], { ...SEED, prune: true });
    expect(await seen()).toEqual(NOTHING);
    const [change] = await store.changes.list({ limit: 1 });
    expect(change).toMatchObject({ kind: "bot.pruned", subject: "shop" });
    expect(change!.fields).toContainEqual({ field: "conversations", before: 2, after: 0 });
  });
});
