import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import fc from "fast-check";

import { HISTORY_TURNS, type Turn, pastTurnOf } from "../../../../src/domain/conversation.ts";
import type { ConversationId, IntentName, RequestId } from "../../../../src/domain/ids.ts";
import type { BotKey } from "../../../../src/store/interface/bots.ts";
import type { EmbedTokenKey } from "../../../../src/store/interface/embed-tokens.ts";
import { SqliteStore } from "../../../../src/store/sqlite/sqlite-store.ts";
import { shopBot } from "../../../support/bots.ts";
import { turnWith } from "../../../support/turns.ts";

const AT = Date.UTC(2026, 0, 10);
const CONVERSATION = "cv_1" as ConversationId;

let dataDir: string;
let stores: SqliteStore[];
let bot: BotKey;
let requests = 0;

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), "parley-test-"));
  stores = [0, 1].map(() => new SqliteStore({ dataDir, now: () => AT, busyTimeoutMs: 1000 }));
  await stores[0]!.bots.seed([shopBot()], { prune: false, dryRun: false });
  bot = (await stores[0]!.bots.find("shop"))!.key;
});
afterEach(async () => {
  for (const store of stores) await store[Symbol.asyncDispose]();
  rmSync(dataDir, { recursive: true });
});

function nextTurn(fields: Partial<Turn> = {}): Turn {
  requests += 1;
  const requestId = `rq_${requests}` as RequestId;
  return turnWith({ at: AT, input: `say ${requests}`, ...fields, requestId });
}

const record = (store: SqliteStore, conversationId: ConversationId, fields: Partial<Turn> = {}) =>
  store.recordTurn({ bot, conversationId, turn: nextTurn(fields) });

/** What a store finds, and what is in the file. */
async function look(store: SqliteStore, id: ConversationId) {
  const found = await store.findConversation(id, bot, 0);
  const stored = (await store.conversations.listTurns(id)).slice(-HISTORY_TURNS).map(pastTurnOf);
  return { found: found?.turns, stored: stored.length > 0 ? stored : undefined };
}

type Step = {
  kind: "say" | "fail" | "model" | "sayTwice" | "delete" | "sweep" | "look";
  by: number;
  of: number;
};

const STEP: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom("say", "say", "say", "fail", "model", "sayTwice", "delete", "sweep", "look"),
  by: fc.nat(1),
  of: fc.nat(2),
});

/** A key of a token that is not there cannot be saved: the turn's transaction is rolled back. */
const KEY_OF_NOBODY = {
  embedToken: 99 as EmbedTokenKey,
  keyHash: new Uint8Array(32),
  bodyHash: new Uint8Array(32),
};

async function take({ kind, by, of }: Step): Promise<void> {
  const store = stores[by]!;
  const id = `cv_${of}` as ConversationId;
  if (kind === "say") await record(store, id);
  if (kind === "sayTwice") await Promise.all([record(store, id), record(store, id)]);
  if (kind === "delete") await store.erasure.erase([{ id: id }], {});
  if (kind === "sweep") await store.deleteExpired(AT, of === 0 ? AT + 1 : 0);
  if (kind === "fail") await failWithAnother(store, id);
  if (kind === "model") await answerByModel(store, id);
}

/** One of two turns of a group cannot be written. */
async function failWithAnother(store: SqliteStore, id: ConversationId): Promise<void> {
  const failing = store.recordTurn({
    bot,
    conversationId: id,
    turn: nextTurn(),
    idempotencyKey: KEY_OF_NOBODY,
  });
  const outcomes = await Promise.allSettled([record(store, id), failing]);
  expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
}

async function answerByModel(store: SqliteStore, id: ConversationId): Promise<void> {
  const turn = nextTurn({ state: "unanswered", response: "" });
  const begun = await store.beginTurn({ bot, conversationId: id, turn });
  if (begun.outcome !== "begun") throw new Error(begun.outcome);
  const { key, instance } = begun;
  const answered = { ...turn, state: "complete" as const, response: "Hi." };
  await store.finishTurn({
    key,
    instance,
    bot,
    conversationId: id,
    turn: answered,
    modelTokens: 1,
    isCounted: true,
  });
}

test("whatever two servers on one folder write and erase, each finds what is in the file", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(STEP, { minLength: 5, maxLength: 60 }), async (steps) => {
      for (const step of steps) {
        await take(step);
        const { found, stored } = await look(stores[step.by]!, `cv_${step.of}` as ConversationId);
        expect(found).toEqual(stored);
      }
      for (const of of [0, 1, 2]) await stores[0]!.erasure.erase([{ id: `cv_${of}` }], {});
    }),
    { numRuns: 60 },
  );
}, 120_000);

test("a conversation is found with what its latest turn offered", async () => {
  const [store] = stores as [SqliteStore];
  const suggestions = [{ intent: "orders.status" as IntentName, label: "the state of an order" }];
  const { receipt } = nextTurn();
  await record(store, CONVERSATION, { receipt: { ...receipt, suggestions } });
  const warm = await store.findConversation(CONVERSATION, bot, 0);
  const fresh = await stores[1]!.findConversation(CONVERSATION, bot, 0);
  expect(warm?.turns.at(-1)?.suggestions).toEqual(suggestions);
  expect(warm).toEqual(fresh);
});

test("a message of a group that is rolled back is counted once, when it is written", async () => {
  const [store] = stores as [SqliteStore];
  await failWithAnother(store, CONVERSATION);
  expect(await store.usage.read(bot, AT)).toBe(1);
});

test("a group never counts more than the cap has room for", async () => {
  const [store] = stores as [SqliteStore];
  const sent = Array.from({ length: 20 }, () =>
    store.recordTurn({ bot, conversationId: CONVERSATION, turn: nextTurn(), monthlyMessageCap: 7 }),
  );
  const outcomes = await Promise.all(sent);
  expect(outcomes.filter((outcome) => outcome === "recorded")).toHaveLength(7);
  expect(outcomes.filter((outcome) => outcome === "cap_reached")).toHaveLength(13);
  expect(await store.usage.read(bot, AT)).toBe(7);
  expect(await store.conversations.listTurns(CONVERSATION)).toHaveLength(7);
});
