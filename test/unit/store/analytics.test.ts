import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { EnforcementReason } from "../../../src/domain/chat.ts";
import type { Turn } from "../../../src/domain/conversation.ts";
import type { ConversationId, IntentName, RequestId } from "../../../src/domain/ids.ts";
import { eraseDeleted } from "../../../src/operate/erase.ts";
import { wordsAsked } from "../../../src/store/analytics/words.ts";
import type { ListPlace, ListQuery } from "../../../src/store/interface/analytics.ts";
import type { BotKey } from "../../../src/store/interface/bots.ts";
import type { Store } from "../../../src/store/interface/store.ts";
import type { BegunTurn } from "../../../src/store/turn-store.ts";
import { shopBot } from "../../support/bots.ts";
import { filesHolding } from "../../support/files.ts";
import { isOnPostgres, openTestStore, type TestStore } from "../../support/store-under-test.ts";
import { suggestionsOf, turnWith } from "../../support/turns.ts";

const HOUR = 60 * 60 * 1000;
const DAY = 24 * HOUR;
const NOON = Date.UTC(2026, 10, 20, 12);

let folder: string;
let opened: TestStore;
let store: Store;
let shop: BotKey;
let other: BotKey;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "parley-test-"));
  opened = await openTestStore(folder, () => NOON);
  ({ store } = opened);
  await store.bots.seed([shopBot(), shopBot({ id: "other" })], { prune: false, dryRun: false });
  shop = (await store.bots.find("shop"))!.key;
  other = (await store.bots.find("other"))!.key;
});
afterEach(async () => {
  await store[Symbol.asyncDispose]();
  await opened.drop();
  rmSync(folder, { recursive: true });
});

interface Said {
  in: string;
  at?: number;
  input?: string;
  response?: string;
  intent?: string;
  reason?: EnforcementReason;
  /** Intents that are offered. */
  offers?: string[];
  state?: Turn["state"];
  bot?: BotKey;
}

let requests = 0;

function turnOf({ at = NOON, input, response, intent, reason, offers, state = "complete" }: Said): Turn {
  const plain = turnWith({ requestId: `rq_${String(requests++).padStart(6, "0")}` as RequestId, at, state });
  const suggestions = offers && suggestionsOf(...offers);
  return {
    ...plain,
    ...(input !== undefined && { input }),
    ...(response !== undefined && { response }),
    ...(intent !== undefined && { intent: intent as IntentName }),
    metadata: {
      ...plain.metadata,
      ...(reason && { enforcementReason: reason }),
      ...(suggestions && { suggestions }),
    },
    receipt: { ...plain.receipt, ...(suggestions && { suggestions }) },
  };
}

async function say(...turns: Said[]): Promise<void> {
  for (const said of turns) {
    const { in: conversation, bot = shop } = said;
    await store.recordTurn({ bot, conversationId: conversation as ConversationId, turn: turnOf(said) });
  }
}

/** Counts all there is, in steps. @returns how many turns. */
async function countAll(most = 7, by = store): Promise<number> {
  let sum = 0;
  for (;;) {
    const { counted, mayGoOn } = await by.analytics.countTurns(most);
    sum += counted;
    if (!mayGoOn) return sum;
  }
}

async function sums(bucket: "hour" | "day" = "day", bot?: BotKey) {
  const range = { bucket, from: NOON - 100 * DAY, to: NOON + DAY, ...(bot !== undefined && { bot }) };
  const outcomes = await store.analytics.countOutcomes(range);
  return Object.fromEntries(
    [...Map.groupBy(outcomes, ({ outcome }) => outcome)].map(([outcome, counts]) => [
      outcome,
      counts.reduce((sum, { turns }) => sum + turns, 0),
    ]),
  );
}

const rate = (requestId: string, rating: "up" | "down", reason?: string) =>
  store.feedback.save({
    requestId: requestId as RequestId,
    rating,
    at: NOON,
    ...(reason !== undefined && { reason }),
  });

/** By hour and by day, which say the same. */
async function ratings(bot?: BotKey) {
  const range = { from: NOON - 100 * DAY, to: NOON + DAY, ...(bot !== undefined && { bot }) };
  const hours = await store.analytics.countRatings({ ...range, bucket: "hour" });
  expect(await store.analytics.countRatings({ ...range, bucket: "day" })).toEqual(hours);
  return hours;
}

const begun = () =>
  store.analytics.countConversations({ bucket: "day", from: NOON - 100 * DAY, to: NOON + DAY });

function list(query: Partial<ListQuery> & { q?: string } = {}) {
  const { q = "", ...rest } = query;
  return store.analytics.listConversations({ words: wordsAsked(q), limit: 50, ...rest });
}

async function idsOf(query: Partial<ListQuery> & { q?: string } = {}): Promise<string[]> {
  return (await list(query)).items.map(({ id }) => id);
}

function begin(said: Said): Promise<{ begun: BegunTurn; turn: Turn }> {
  const turn = turnOf({ ...said, state: "unanswered", response: "" });
  return store.beginTurn({ bot: shop, conversationId: said.in as ConversationId, turn }).then((outcome) => {
    if (outcome.outcome !== "begun") throw new Error(outcome.outcome);
    return { begun: { key: outcome.key, instance: outcome.instance }, turn };
  });
}

const finish = (conversation: string, begunTurn: BegunTurn, turn: Turn) =>
  store.finishTurn({
    ...begunTurn,
    bot: shop,
    conversationId: conversation as ConversationId,
    turn: { ...turn, state: "complete", response: "Done." },
    modelTokens: 0,
    isCounted: true,
  });

describe("counting turns", () => {
  test("sums them by bot, hour, day, outcome and intent, each once", async () => {
    await say(
      { in: "a", intent: "orders.status" },
      { in: "a", at: NOON + 1, reason: "no_intent_match" },
      { in: "b", at: NOON - 2 * DAY, reason: "no_intent_match", offers: ["orders.status"] },
      { in: "b", reason: "DENY_LIST", intent: "account.delete" },
      { in: "c", reason: "schema_fallback", intent: "orders.status", bot: other },
      { in: "c", state: "unanswered", bot: other },
    );
    expect(await countAll(2)).toBe(6);
    expect(await countAll(2)).toBe(0);
    const all = { answered: 1, unmatched: 1, asked: 1, refused: 1, failed: 2 };
    expect(await sums("day")).toEqual(all);
    expect(await sums("hour")).toEqual(all);
    expect(await sums("day", other)).toEqual({ failed: 2 });
    const range = { bucket: "hour", from: NOON, to: NOON + HOUR } as const;
    expect(await store.analytics.countOutcomes({ ...range, bot: shop })).toEqual(
      expect.arrayContaining([{ at: NOON, outcome: "answered", turns: 1 }]),
    );
    const intents = await store.analytics.countIntents(range);
    expect(intents.map(({ bot, intent, turns }) => `${bot} ${intent} ${turns}`).toSorted()).toEqual([
      "other orders.status 1",
      "shop account.delete 1",
      "shop orders.status 1",
    ]);
    expect(await begun()).toBe(3);
  });

  test("waits for turns in flight, and counts what comes behind them", async () => {
    const { begun: flying, turn } = await begin({ in: "a" });
    await say({ in: "b" });
    expect(await countAll()).toBe(1);
    expect(await sums()).toEqual({ answered: 1 });
    expect(await store.analytics.countingState()).toEqual({
      share: 1,
      openSince: NOON,
      left: 0,
      leftSince: undefined,
    });
    await finish("a", flying, turn);
    expect(await countAll()).toBe(1);
    expect(await sums()).toEqual({ answered: 2 });
    expect(await begun()).toBe(2);
    expect(await store.analytics.countingState()).toEqual({
      share: 1,
      openSince: undefined,
      left: 0,
      leftSince: undefined,
    });
  });

  test("a turn that was given back, counted as failed, and answered after all is counted once, as answered", async () => {
    const { begun: flying, turn } = await begin({ in: "a", input: "albatross" });
    await opened.runSql("DELETE FROM turns_in_flight");
    await opened.runSql("DELETE FROM instances");
    await countAll();
    expect(await sums()).toEqual({ failed: 1 });
    await finish("a", flying, turn);
    await countAll();
    expect(await sums()).toMatchObject({ answered: 1 });
    expect((await sums())["failed"] ?? 0).toBe(0);
    expect(await begun()).toBe(1);
    expect(await idsOf({ q: "albatross done" })).toEqual(["a"]);
  });

  test("two servers that count at the same time count each turn once", async () => {
    await say(...Array.from({ length: 60 }, (_, i) => ({ in: `c${i}` })));
    const another = await opened.openAnother();
    const counted = await Promise.all([countAll(7), countAll(5, another)]);
    await countAll();
    await another[Symbol.asyncDispose]();
    expect(counted[0] + counted[1]).toBeLessThanOrEqual(60);
    expect(await sums()).toEqual({ answered: 60 });
  });

  test("a turn that takes the key of one that was erased is counted", async () => {
    await say({ in: "a" }, { in: "b" });
    await countAll();
    await store.erasure.erase([{ id: "b" }], {});
    await say({ in: "c", input: "again" });
    expect(await countAll()).toBe(1);
    expect(await sums()).toEqual({ answered: 3 });
    expect(await idsOf()).toEqual(["c", "a"]);
  });

  test("a turn that is stored after later ones is counted", async () => {
    await say({ in: "a" });
    await countAll();
    await say({ in: "b", at: NOON - 10_000 });
    expect(await countAll()).toBe(1);
    expect((await idsOf()).toSorted()).toEqual(["a", "b"]);
  });

  test("a turn of a server whose clock is days behind is counted", async () => {
    await say({ in: "a" });
    await countAll();
    await say({ in: "b", at: NOON - 3 * DAY });
    expect(await countAll()).toBe(1);
    expect((await idsOf()).toSorted()).toEqual(["a", "b"]);
  });

  test("turns whose answers are long in coming do not hold up those that have ended", async () => {
    const turns = [await begin({ in: "a" }), await begin({ in: "b" }), await begin({ in: "c" })];
    await countAll(2);
    const [, , last] = turns;
    await finish("c", last!.begun, last!.turn);
    await say({ in: "d" });
    await countAll(2);
    expect(await sums()).toEqual({ answered: 2 });
  });

  test("sums stay when conversations are erased", async () => {
    await say({ in: "a" }, { in: "b" });
    await countAll();
    await store.erasure.erase([{ id: "a" }], {});
    await store.deleteExpired(NOON + DAY, NOON + DAY);
    expect(await idsOf()).toEqual([]);
    expect(await sums()).toEqual({ answered: 2 });
    expect(await begun()).toBe(2);
  });

  test("says how far it is", async () => {
    await say({ in: "a", at: NOON - 5 }, { in: "b" });
    expect(await store.analytics.countingState()).toEqual({
      share: 0,
      openSince: NOON - 5,
      left: 2,
      leftSince: NOON - 5,
    });
    await store.analytics.countTurns(1);
    expect((await store.analytics.countingState()).share).toBeCloseTo(0.5);
  });
});

describe("ratings", () => {
  const CONVERSATIONS = ["a", "b", "c"];

  /** Three conversations with an answer each, oldest first. @returns the ids of the answers. */
  async function answered(): Promise<string[]> {
    const first = requests;
    await say(
      { in: "a", at: NOON - 2 * DAY, input: "where is my order", intent: "orders.status" },
      { in: "b", at: NOON - DAY, input: "sing a song", reason: "no_intent_match", bot: other },
      { in: "c", input: "zebra" },
    );
    return CONVERSATIONS.map((_, i) => `rq_${String(first + i).padStart(6, "0")}`);
  }

  test.each([
    ["counted before they are rated", async (count: () => Promise<unknown>) => void (await count()), null],
    ["counted after they were rated", null, async (count: () => Promise<unknown>) => void (await count())],
    ["not counted", null, null],
  ])("of answers that are %s filter the list", async (_, before, after) => {
    const [a, b, c] = await answered();
    await before?.(countAll);
    await rate(a!, "down", "too vague");
    await rate(b!, "down");
    await rate(c!, "up");
    if (before) await countAll();
    await after?.(countAll);
    expect(await idsOf({ rating: "down" })).toEqual(["b", "a"]);
    expect(await idsOf({ rating: "up" })).toEqual(["c"]);
    expect(await idsOf({ rating: "down", bot: shop })).toEqual(["a"]);
    expect(await idsOf({ rating: "down", q: "order" })).toEqual(["a"]);
    expect(await idsOf({ rating: "down", q: "zebra" })).toEqual([]);
    expect(await idsOf({ rating: "down", outcome: "unmatched" })).toEqual(["b"]);
    expect(await idsOf({ rating: "down", from: NOON - DAY })).toEqual(["b"]);
    const [row] = (await list({ rating: "down", limit: 1 })).items;
    expect(row).toMatchObject({ id: "b", unhelpful: 1, latest: { requestId: b! } });
    expect((await list({ rating: "up" })).items[0]!.unhelpful).toBe(0);
  });

  test("page by page, each conversation once, by the latest answer that is rated so", async () => {
    const ids = await answered();
    await say({ in: "a", at: NOON + 1 }, { in: "a", at: NOON + 2 });
    for (const id of [...ids, `rq_${String(requests - 2).padStart(6, "0")}`]) await rate(id, "down");
    await countAll();
    const seen: string[] = [];
    let below: ListPlace | undefined;
    do {
      const page = await list({ rating: "down", limit: 1, ...(below && { below }) });
      seen.push(...page.items.map(({ id, unhelpful, latest }) => `${id} ${unhelpful} ${latest.at - NOON}`));
      below = page.next;
    } while (below && seen.length < 20);
    expect(seen).toEqual(["a 2 1", "c 1 0", `b 1 ${-DAY}`]);
  });

  test("are summed by bot, hour and day, each answer by its last one", async () => {
    const [a, b, c] = await answered();
    await rate(a!, "down");
    await countAll();
    await rate(b!, "up");
    await rate(c!, "up");
    await countAll(1);
    expect(await ratings()).toEqual({ up: 2, down: 1 });
    expect(await ratings(shop)).toEqual({ up: 1, down: 1 });
    await rate(a!, "up");
    await rate(b!, "down");
    await countAll();
    expect(await ratings()).toEqual({ up: 2, down: 1 });
    expect(await ratings(other)).toEqual({ up: 0, down: 1 });
    const day = { bucket: "day", from: NOON - DAY - HOUR * 12, to: NOON - HOUR * 12 } as const;
    expect(await store.analytics.countRatings(day)).toEqual({ up: 0, down: 1 });
    expect(await idsOf({ rating: "down" })).toEqual(["b"]);
  });

  test("go with their conversation, and their sums stay", async () => {
    const [a, b] = await answered();
    await rate(a!, "down", "my secret");
    await rate(b!, "down");
    await countAll();
    await store.erasure.erase([{ id: "a" }], {});
    expect(await opened.runSql("SELECT reason FROM ratings WHERE reason IS NOT NULL")).toEqual([]);
    expect(await idsOf({ rating: "down" })).toEqual(["b"]);
    expect(await ratings()).toEqual({ up: 0, down: 2 });
  });

  test("two servers that count at the same time count each rating once", async () => {
    await say(...Array.from({ length: 40 }, (_, i) => ({ in: `c${i}` })));
    await countAll();
    const { items } = await list();
    for (const { latest } of items) await rate(latest.requestId, "down");
    const another = await opened.openAnother();
    await Promise.all([countAll(7), countAll(5, another)]);
    await countAll();
    await another[Symbol.asyncDispose]();
    expect(await ratings()).toEqual({ up: 0, down: 40 });
  });

  test("of a turn that is counted anew are, too", async () => {
    const { begun: flying, turn } = await begin({ in: "a" });
    await opened.runSql("DELETE FROM turns_in_flight");
    await opened.runSql("DELETE FROM instances");
    await rate(turn.requestId, "down");
    await countAll();
    await finish("a", flying, turn);
    await countAll();
    expect(await ratings()).toEqual({ up: 0, down: 1 });
    expect(await idsOf({ rating: "down" })).toEqual(["a"]);
  });

  test("say which answers did not help, the latest first, and why", async () => {
    const [a, b, c] = await answered();
    await rate(a!, "down", "too vague");
    await rate(b!, "down");
    await rate(c!, "up", "thanks");
    await countAll();
    const { turns, total } = await store.analytics.listUnhelpful({ since: 0, limit: 1 });
    expect(total).toBe(2);
    expect(turns.map(({ conversationId, why }) => [conversationId, why])).toEqual([["b", null]]);
    const ofShop = await store.analytics.listUnhelpful({ since: 0, limit: 9, bot: shop });
    expect(ofShop.turns).toEqual([
      {
        requestId: a!,
        conversationId: "a",
        bot: "shop" as never,
        at: NOON - 2 * DAY,
        input: "where is my order",
        response: expect.any(String),
        intent: "orders.status",
        why: "too vague",
        ratedAt: NOON,
        before: null,
        leans: null,
      },
    ]);
    expect((await store.analytics.listUnhelpful({ since: NOON, limit: 9 })).total).toBe(0);
    // Not counted yet as what it is by now.
    await rate(a!, "up");
    expect((await store.analytics.listUnhelpful({ since: 0, limit: 9, bot: shop })).turns).toEqual([]);
  });
});

describe("words of what is erased", () => {
  const CANARY = "zwergkanarienvogel";

  /** Where the index holds the word, by either engine. */
  async function wordsHeld(): Promise<number> {
    const sql = isOnPostgres
      ? `SELECT 1 FROM counted_turns WHERE words::text LIKE '%${CANARY}%'`
      : `SELECT 1 FROM turn_words WHERE word LIKE '${CANARY}%'`;
    return (await opened.runSql(sql)).length;
  }

  const ways: Record<string, () => Promise<unknown>> = {
    "one by one": () => store.erasure.erase([{ id: "gone" }], {}),
    "by a filter": async () => {
      const chosen = await store.erasure.choose({ text: CANARY });
      await store.erasure.erase(chosen, { text: CANARY });
    },
    "as they expire": () => store.deleteExpired(NOON, NOON - DAY),
    "with their bot": async () => {
      await store.bots.delete("other");
      expect(await idsOf({ q: CANARY })).toEqual([]);
      await eraseDeleted(store, { pace: { rows: 20, pauseMs: 0 } });
    },
  };

  test.each(Object.entries(ways))("are in no file afterwards: %s", async (_, erase) => {
    await say(
      { in: "stays", input: "hello there" },
      { in: "gone", at: NOON - 9 * DAY, input: `my ${CANARY} is ill`, bot: other },
      { in: "gone", at: NOON - 8 * DAY, response: `${CANARY}s need a doctor`, bot: other },
    );
    await countAll();
    expect(await idsOf({ q: CANARY })).toEqual(["gone"]);
    expect(await wordsHeld()).toBe(2);
    await erase();
    expect(await wordsHeld()).toBe(0);
    expect(await idsOf({ q: CANARY })).toEqual([]);
    expect(await idsOf({ q: "hello" })).toEqual(["stays"]);
    if (isOnPostgres) return;
    expect((await opened.runSql("SELECT 1 FROM erased_places")).length).toBe(0);
    await store.erasure.wipeFiles();
    expect(filesHolding(folder, CANARY)).toEqual([]);
  });

  test.skipIf(isOnPostgres)("are taken out by the next step where another program erased them", async () => {
    await say({ in: "gone", input: CANARY });
    await countAll();
    await opened.runSql("DELETE FROM counted_turns");
    await countAll();
    expect((await opened.runSql("SELECT 1 FROM erased_places")).length).toBe(0);
  });
});

describe("a list of conversations", () => {
  const said = (): Said[] => [
    { in: "a", at: NOON - 3 * DAY, input: "where is my order", intent: "orders.status" },
    { in: "b", at: NOON - 2 * DAY, input: "sing a song", reason: "no_intent_match" },
    { in: "a", at: NOON - DAY, input: "delete me", intent: "account.delete", reason: "DENY_LIST" },
    { in: "c", at: NOON, input: "Wo ist mein Päckchen?", response: "It is on its way.", bot: other },
  ];

  /** What is not counted yet is found as well. */
  describe.each([
    ["counted", async () => void (await countAll())],
    ["not counted", async () => {}],
    ["half counted", async () => void (await store.analytics.countTurns(2))],
  ])("of turns that are %s", (_, count) => {
    beforeEach(async () => {
      await say(...said());
      await count();
    });

    test("has each conversation once, with its latest turn", async () => {
      const { items, next } = await list();
      expect(items.map(({ id }) => id)).toEqual(["c", "a", "b"]);
      expect(next).toBeUndefined();
      expect(items[1]).toEqual({
        id: "a",
        bot: "shop",
        startedAt: NOON - 3 * DAY,
        turns: 2,
        unhelpful: 0,
        latest: {
          requestId: expect.any(String),
          at: NOON - DAY,
          input: "delete me",
          intent: "account.delete",
          outcome: "refused",
        },
      });
    });

    test("filtered by each field, and by several", async () => {
      const cases: [Partial<ListQuery> & { q?: string }, string[]][] = [
        [{ outcome: "unmatched" }, ["b"]],
        [{ outcome: "refused" }, ["a"]],
        [{ outcome: "asked" }, []],
        [{ intent: "orders.status" }, ["a"]],
        [{ intent: "orders" }, []],
        [{ intent: "orders.*" }, ["a"]],
        [{ from: NOON - 2 * DAY }, ["c", "a", "b"]],
        [{ from: NOON - 2 * DAY, to: NOON - DAY }, ["b"]],
        [{ q: "song" }, ["b"]],
        [{ q: "SON sing" }, ["b"]],
        [{ q: "ong" }, []],
        [{ q: "song order" }, []],
        [{ q: "packchen" }, ["c"]],
        [{ q: "way" }, ["c"]],
        [{ q: "order", outcome: "refused" }, []],
        [{ q: "order", outcome: "answered" }, ["a"]],
      ];
      const found = await Promise.all(cases.map(async ([query]) => [query, await idsOf(query)]));
      expect(found).toEqual(cases);
    });

    test("filtered by bot", async () => {
      expect(await idsOf({ bot: other })).toEqual(["c"]);
      expect(await idsOf({ bot: shop, q: "order" })).toEqual(["a"]);
    });

    test("goes on below a page, and shows no conversation twice", async () => {
      await say({ in: "d", at: NOON + 1 }, { in: "b", at: NOON + 2 });
      const seen: string[] = [];
      let below: ListPlace | undefined;
      do {
        const page = await list({ limit: 1, ...(below && { below }) });
        seen.push(...page.items.map(({ id }) => id));
        below = page.next;
      } while (below && seen.length < 20);
      expect(seen).toEqual(["b", "d", "c", "a"]);
    });

    test("tells what is newer than a page", async () => {
      const { newest } = await list();
      expect(await idsOf({ newer: newest! })).toEqual([]);
      await say({ in: "d", at: NOON + 1 }, { in: "a", at: NOON + 2 });
      expect(await idsOf({ newer: newest! })).toEqual(["a", "d"]);
      await countAll();
      expect(await idsOf({ newer: newest! })).toEqual(["a", "d"]);
      expect(await idsOf({ newer: (await list()).newest! })).toEqual([]);
    });
  });

  /** More than are read at a time. */
  const MANY = 1203;
  const ids = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => `c${from + i}`);
  const sayMany = (from: number, to: number) =>
    Promise.all(ids(from, to).map((id, i) => say({ in: id, at: NOON - HOUR + from + i, input: "hello" })));

  async function walk(between: () => Promise<unknown>): Promise<string[]> {
    const found: string[] = [];
    for await (const rows of store.analytics.walkConversations({ words: [] })) {
      found.push(...rows.map(({ id }) => id));
      await between();
    }
    return found;
  }

  describe("where more are not counted than are read at a time", () => {
    beforeEach(async () => void (await sayMany(0, MANY)));

    test("has all of them, page by page", async () => {
      const found: string[] = [];
      let below: ListPlace | undefined;
      do {
        const page = await list({ limit: 200, ...(below && { below }) });
        found.push(...page.items.map(({ id }) => id));
        below = page.next;
      } while (below && found.length < 2 * MANY);
      expect(found).toEqual(ids(0, MANY).toReversed());
    });

    test("has all of them, each once, though they are counted between the pages", async () => {
      const found: string[] = [];
      let below: ListPlace | undefined;
      do {
        const page = await list({ limit: 200, ...(below && { below }) });
        found.push(...page.items.map(({ id }) => id));
        await store.analytics.countTurns(500);
        below = page.next;
      } while (below && found.length < 2 * MANY);
      expect(found).toHaveLength(MANY);
      expect(found.toSorted()).toEqual(ids(0, MANY).toSorted());
    });

    test("says where it goes on, where a filter lets few of them through", async () => {
      await sayMany(MANY, 5200);
      await say({ in: "c7", at: NOON, input: "hello again" }, { in: "c3", at: NOON + 1 });
      const wanted = { to: NOON - HOUR + 8, limit: 3 };
      const first = await list(wanted);
      expect(first.items).toEqual([]);
      const { items, next } = await list({ ...wanted, below: first.next! });
      expect(items.map(({ id }) => id)).toEqual(["c7", "c6", "c5"]);
      expect((await list({ ...wanted, below: next! })).items.map(({ id }) => id)).toEqual(["c4", "c3", "c2"]);
    });

    test("is walked to its end, each conversation once, whatever is counted meanwhile", async () => {
      const found = await walk(() => store.analytics.countTurns(300));
      expect(found).toHaveLength(MANY);
      expect(found.toSorted()).toEqual(ids(0, MANY).toSorted());
    });
  });

  test("is walked to its end though its conversations go on meanwhile", async () => {
    await sayMany(0, 450);
    await countAll(500);
    let at = NOON;
    const walked = await walk(async () => {
      await say({ in: "c2", at: (at += 1) }, { in: "c449", at: (at += 1) }, { in: "new", at: (at += 1) });
      await countAll(500);
    });
    const found = walked.filter((id) => id !== "new");
    expect(found).toHaveLength(450);
    expect(found.toSorted()).toEqual(ids(0, 450).toSorted());
  });

  test("a turn whose answer came late is newer than a page that was made before it", async () => {
    const { begun: flying, turn } = await begin({ in: "late", at: NOON - 1 });
    await say({ in: "b" });
    await countAll();
    const { items, newest } = await list();
    expect(items.map(({ id }) => id)).toEqual(["b"]);
    await finish("late", flying, turn);
    await countAll();
    expect(await idsOf({ newer: newest! })).toEqual(["late"]);
  });

  test("is empty where there is nothing", async () => {
    expect(await list()).toEqual({ items: [], next: undefined, newest: undefined });
  });

  test("leaves out the text where it is not stored", async () => {
    await say({ in: "a", input: "", response: "" });
    await countAll();
    expect((await list()).items[0]!.latest).not.toHaveProperty("input");
  });

  test("goes through many blocks, and finds what is rare", async () => {
    await say(
      { in: "first", input: "needle" },
      ...Array.from({ length: 150 }, (_, i) => ({ in: `c${i % 5}`, at: NOON + i, input: "hay" })),
    );
    await countAll(40);
    expect(await idsOf({ q: "needle" })).toEqual(["first"]);
    expect(await idsOf({ q: "hay" })).toEqual(["c4", "c3", "c2", "c1", "c0"]);
  });
});

describe("what was not answered", () => {
  test("is listed, the latest first, and counted", async () => {
    await say(
      { in: "a", at: NOON - DAY, input: "old", reason: "no_intent_match" },
      { in: "a", at: NOON, input: "new", reason: "no_intent_match" },
      { in: "b", at: NOON + 1, input: "no", reason: "DENY_LIST", intent: "account.delete" },
      { in: "b", at: NOON + 2, input: "yes" },
    );
    await countAll();
    const query = { outcomes: ["unmatched", "refused"], since: 0, limit: 2 } as const;
    const { turns, total } = await store.analytics.listUnanswered(query);
    expect(total).toBe(3);
    expect(turns.map(({ input, outcome, intent, reason }) => [input, outcome, intent, reason])).toEqual([
      ["no", "refused", "account.delete", "DENY_LIST"],
      ["new", "unmatched", null, "no_intent_match"],
    ]);
    expect((await store.analytics.listUnanswered({ ...query, since: NOON, bot: shop })).total).toBe(2);
    expect((await store.analytics.listUnanswered({ ...query, bot: other })).total).toBe(0);
  });

  test("is set aside, and taken back", async () => {
    const hash = (byte: number) => new Uint8Array(32).fill(byte);
    await store.analytics.setAside(shop, [hash(1), hash(2)], "ignore", "ann");
    await store.analytics.setAside(shop, [hash(1)], "taught", "ann");
    await store.analytics.setAside(other, [hash(3)], "ignore", "ann");
    await store.analytics.takeBack(shop, [hash(2)]);
    const found = await store.analytics.listSetAside();
    expect(found.map(({ bot, hash: own }) => `${bot} ${own[0]}`).toSorted()).toEqual(["other 3", "shop 1"]);
    expect(await store.analytics.listSetAside(other)).toHaveLength(1);
  });
});
