import { afterEach, beforeEach, describe, expect, test } from "bun:test";

import type { TurnOutcome } from "../../../src/domain/conversation.ts";
import type { ConversationId, IntentName, RequestId } from "../../../src/domain/ids.ts";
import type { TurnFilter } from "../../../src/store/interface/conversations.ts";
import type { Store } from "../../../src/store/interface/store.ts";
import { shopBot } from "../../support/bots.ts";
import { askPerson } from "../../support/people.ts";
import { openTestStore } from "../../support/store-under-test.ts";
import { turnWith } from "../../support/turns.ts";

interface Said {
  in: string;
  at: number;
  input?: string;
  response?: string;
  intent?: string;
  outcome?: TurnOutcome;
  bot?: string;
}

let store: Store;
beforeEach(async () => {
  ({ store } = await openTestStore(":memory:", () => 0));
  await store.bots.seed([shopBot(), shopBot({ id: "other" })], { prune: false, dryRun: false });
});
afterEach(() => store[Symbol.asyncDispose]());

async function say(...turns: Said[]): Promise<void> {
  for (const { in: conversation, at, input, response, intent, outcome = "allowed", bot = "shop" } of turns) {
    const plain = turnWith({ requestId: `rq_${conversation}_${at}` as RequestId, at });
    await store.recordTurn({
      bot: (await store.bots.find(bot))!.key,
      conversationId: conversation as ConversationId,
      turn: {
        ...plain,
        ...(input !== undefined && { input }),
        ...(response !== undefined && { response }),
        ...(intent !== undefined && { intent: intent as IntentName }),
        metadata: { ...plain.metadata, ...(outcome !== "allowed" && { enforcementReason: outcome }) },
      },
    });
  }
}

async function found(filter: TurnFilter = {}) {
  return await store.conversationSearch.summarise(
    await Array.fromAsync(store.conversationSearch.find(filter)),
  );
}

const idsOf = async (filter?: TurnFilter) =>
  (await found(filter)).map(({ conversationId }) => conversationId as string);

describe("a search of conversations", () => {
  test("lists each once, the one with the latest turn first", async () => {
    await say({ in: "a", at: 1 }, { in: "b", at: 2 }, { in: "a", at: 3 }, { in: "c", at: 3 });
    expect(await idsOf()).toEqual(["c", "a", "b"]);
    expect((await found())[1]).toMatchObject({ botId: "shop", startedAt: 1, turns: 2, latest: { at: 3 } });
  });

  test("by time counts the turns of that time, from the first instant up to the last, without it", async () => {
    await say({ in: "a", at: 10 }, { in: "b", at: 20 }, { in: "a", at: 30 }, { in: "c", at: 40 });
    expect(await idsOf({ since: 20 })).toEqual(["c", "a", "b"]);
    expect(await idsOf({ since: 20, until: 40 })).toEqual(["a", "b"]);
    expect(await found({ until: 20 })).toMatchObject([{ conversationId: "a", latest: { at: 10 } }]);
  });

  test("by bot", async () => {
    await say({ in: "a", at: 1 }, { in: "b", at: 2, bot: "other" });
    expect(await idsOf({ bot: (await store.bots.find("other"))!.key })).toEqual(["b"]);
  });

  test("by what came of a turn", async () => {
    await say({ in: "a", at: 1, outcome: "DENY_LIST" }, { in: "b", at: 2 }, { in: "a", at: 3 });
    expect(await idsOf({ outcome: "DENY_LIST" })).toEqual(["a"]);
    expect(await idsOf({ outcome: "allowed" })).toEqual(["a", "b"]);
    expect(await idsOf({ outcome: "schema_fallback" })).toEqual([]);
  });

  test("by an intent, or by what intents begin with", async () => {
    await say(
      { in: "a", at: 1, intent: "orders.status" },
      { in: "b", at: 2, intent: "orders.cancel" },
      { in: "c", at: 3, intent: "orders" },
      { in: "d", at: 4, intent: "ordersome" },
      { in: "e", at: 5 },
    );
    expect(await idsOf({ intent: "orders.status" })).toEqual(["a"]);
    expect(await idsOf({ intent: "orders.*" })).toEqual(["b", "a"]);
  });

  test("by text of message or answer, in whatever case, and letter by letter", async () => {
    await say(
      { in: "a", at: 1, input: "wo ist meine ÜBERWEISUNG?" },
      { in: "b", at: 2, response: "Die Überweisung kommt." },
      { in: "c", at: 3, input: "100% sure" },
    );
    expect(await idsOf({ text: "überweisung" })).toEqual(["b", "a"]);
    expect(await idsOf({ text: "0% s" })).toEqual(["c"]);
    expect(await idsOf({ text: "0_ s" })).toEqual([]);
  });

  test("asks all of one and the same turn", async () => {
    await say(
      { in: "a", at: 1, intent: "orders.status", input: "late" },
      { in: "a", at: 2, outcome: "DENY_LIST", input: "delete" },
    );
    expect(await idsOf({ outcome: "DENY_LIST", text: "late" })).toEqual([]);
    expect(await found({ outcome: "allowed", text: "late" })).toMatchObject([
      { turns: 2, latest: { input: "late", intent: "orders.status", outcome: "allowed" } },
    ]);
  });

  test("of many conversations reads as many as are asked for", async () => {
    await say(...Array.from({ length: 200 }, (_, i) => ({ in: `c${i}`, at: i })));
    const search = store.conversationSearch.find({ outcome: "allowed" })[Symbol.asyncIterator]();
    expect((await search.next()).value).toBeDefined();
    await search.return?.();
    // A statement that is still being read would hold this up.
    await say({ in: "late", at: 500 });
    expect(await idsOf({ since: 199 })).toEqual(["late", "c199"]);
  });
});

describe("a search of conversations with people", () => {
  const peopleFound = async (filter?: TurnFilter) =>
    (await found(filter)).map(({ conversationId, latest }) => [conversationId, latest.outcome, latest.input]);

  beforeEach(async () => {
    await say({ in: "a", at: 1_000_000, input: "hello" }, { in: "b", at: 9_000_000, input: "hello" });
    await askPerson(store, {
      conversationId: "asked" as ConversationId,
      at: 5_000_000,
      fields: { name: 'Ada "Kwyjibo"', message: "call me" },
    });
    await askPerson(store, {
      conversationId: "a" as ConversationId,
      at: 7_000_000,
      fields: { email: "ada@example.com" },
      said: ["are you there?", "At your SERVICE", "thanks"],
    });
  });

  test("lists one that is nothing but a hand-off, in its place", async () => {
    expect(await peopleFound()).toEqual([
      ["b", "allowed", "hello"],
      ["a", "allowed", "thanks"],
      ["asked", "handoff", "call me"],
    ]);
    expect((await found())[2]).toMatchObject({
      botId: "shop",
      turns: 0,
      latest: { requestId: null, at: 5_000_000 },
    });
  });

  test("looks into forms, as they were written, and into what operators said", async () => {
    expect(await idsOf({ text: '"kwyjibo"' })).toEqual(["asked"]);
    expect(await idsOf({ text: "ADA@example" })).toEqual(["a"]);
    expect(await peopleFound({ text: "your service" })).toEqual([["a", "handoff", ""]]);
    expect(await idsOf({ text: "live" })).toEqual([]);
  });

  test("by bot and time counts people as turns; by outcome and intent, turns alone", async () => {
    const other = (await store.bots.find("other"))!.key;
    expect(await idsOf({ bot: other })).toEqual([]);
    expect(await idsOf({ since: 5_000_000, until: 5_000_001 })).toEqual(["asked"]);
    expect(await idsOf({ until: 5_000_000 })).toEqual(["a"]);
    expect(await idsOf({ outcome: "allowed" })).toEqual(["b", "a"]);
    expect(await idsOf({ intent: "orders.*" })).toEqual([]);
  });

  test("of many forms finds all, whatever the pages", async () => {
    for (let at = 1; at <= 520; at++)
      await askPerson(store, {
        conversationId: `many${at}` as ConversationId,
        at,
        fields: { name: "Grace" },
      });
    expect(await idsOf({ text: "grace" })).toHaveLength(520);
  });

  test("erases by what was said with people, and keeps the rest", async () => {
    const chosen = await store.erasure.choose({ text: "kwyjibo" });
    expect(chosen).toEqual([{ id: "asked" as ConversationId, messages: 0 }]);
    await store.erasure.erase(chosen, { text: "kwyjibo" });
    const [other, ...more] = await store.erasure.choose({ text: "service" });
    expect([other?.id as string, more]).toEqual(["a", []]);
    expect(await store.handoffs.historyOf("asked")).toEqual({ handoffs: [], events: [] });
    expect(await idsOf()).toEqual(["b", "a"]);
  });
});

describe("counting what is kept of a bot", () => {
  test("counts conversations and messages", async () => {
    await say({ in: "a", at: 1 }, { in: "a", at: 2 }, { in: "b", at: 3 }, { in: "c", at: 4, bot: "other" });
    const count = async (id: string) => store.conversations.count((await store.bots.find(id))!.key);
    expect(await count("shop")).toEqual({ conversations: 2, messages: 3 });
    expect(await count("other")).toEqual({ conversations: 1, messages: 1 });
  });

  test("of a bot that nobody spoke to is nothing", async () => {
    const { key } = (await store.bots.find("shop"))!;
    expect(await store.conversations.count(key)).toEqual({ conversations: 0, messages: 0 });
  });
});

describe("what was said to a bot", () => {
  const keyOf = async (bot: string) => (await store.bots.find(bot))!.key;

  test("is read from the conversations that began latest, page by page, without what was not kept", async () => {
    await say({ in: "a", at: 1, input: "first" }, { in: "b", at: 2, input: "second" });
    await say({ in: "a", at: 3, input: "later in the first" }, { in: "c", at: 4, input: "" });
    await say({ in: "d", at: 5, input: "to another bot", bot: "other" });
    const shop = await keyOf("shop");
    const page = await store.audit.listSaid(shop, 2);
    expect(page.messages.map(({ text }) => text)).toEqual(["second"]);
    const next = await store.audit.listSaid(shop, 2, page.last);
    expect(next.messages).toEqual([
      { requestId: "rq_a_3" as RequestId, conversationId: "a" as ConversationId, text: "later in the first" },
      { requestId: "rq_a_1" as RequestId, conversationId: "a" as ConversationId, text: "first" },
    ]);
    expect(next.last).toBeUndefined();
  });

  test("is erased some at a time once the bot is deleted, and told of with its deletion", async () => {
    await say({ in: "a", at: 1 }, { in: "b", at: 2 }, { in: "c", at: 3 }, { in: "d", at: 4, bot: "other" });
    const shop = await keyOf("shop");
    expect(await store.erasure.eraseSomeOf(shop, 2)).toBe(0);
    expect(await store.conversations.count(shop)).toMatchObject({ conversations: 3 });
    await store.bots.delete("shop");
    expect(await store.erasure.eraseSomeOf(shop, 2)).toBe(2);
    expect(await store.erasure.eraseSomeOf(shop, 2)).toBe(1);
    expect(await store.conversations.count(shop)).toEqual({ conversations: 0, messages: 0 });
    expect(await store.conversations.count(await keyOf("other"))).toEqual({ conversations: 1, messages: 1 });
    const [change] = await store.changes.list({ limit: 1 });
    expect(change!.fields).toContainEqual({ field: "conversations", before: 3, after: 0 });
  });
});
