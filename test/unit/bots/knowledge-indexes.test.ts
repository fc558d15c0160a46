import { afterEach, beforeEach, expect, test } from "bun:test";

import { KnowledgeIndexes } from "../../../src/bots/knowledge-indexes.ts";
import { documentId } from "../../../src/knowledge/sources/identity.ts";
import { termsOf } from "../../../src/knowledge/terms.ts";
import type { BotKey } from "../../../src/store/interface/bots.ts";
import type { Knowledge } from "../../../src/store/interface/store.ts";
import { SqliteStore } from "../../../src/store/sqlite/sqlite-store.ts";
import { shopBot } from "../../support/bots.ts";
import { documentOf } from "../../support/knowledge.ts";

let store: SqliteStore;
let bot: BotKey;
let other: BotKey;
/** Passages whose terms were read. */
let read: number;
let counting: Pick<Knowledge, "listPassageIds" | "readTerms">;
beforeEach(async () => {
  store = new SqliteStore({ dataDir: ":memory:", now: Date.now, busyTimeoutMs: 0 });
  await store.bots.seed([shopBot(), shopBot({ id: "other" })], { prune: false, dryRun: false });
  [other, bot] = (await store.bots.list()).map(({ key }) => key) as [BotKey, BotKey];
  read = 0;
  counting = {
    listPassageIds: (key) => store.knowledge.listPassageIds(key),
    readTerms: (ids) => {
      read += ids.length;
      return store.knowledge.readTerms(ids);
    },
  };
});
afterEach(() => store[Symbol.asyncDispose]());

const save = (key: BotKey, ...bodies: string[]) =>
  store.knowledge.saveDocuments(
    key,
    bodies.map((body) => documentOf(`${body}.md`, [body])),
  );

async function generationOf(key: BotKey): Promise<number> {
  return (await store.knowledge.generations()).get(key)!;
}

async function finds(indexes: KnowledgeIndexes, key: BotKey, word: string): Promise<boolean> {
  const index = await indexes.find(key, await generationOf(key));
  return index.search(termsOf(word), 1).length > 0;
}

test("an index is read once, and again only as far as documents have changed", async () => {
  const indexes = new KnowledgeIndexes(counting);
  await save(bot, "tents", "socks", "boots", "ropes", "lamps");
  expect(await finds(indexes, bot, "socks")).toBe(true);
  expect(await finds(indexes, bot, "boots")).toBe(true);
  expect(read).toBe(5);
  await save(bot, "stoves");
  await store.knowledge.removeDocuments(bot, [documentId("socks.md")]);
  expect(await finds(indexes, bot, "stoves")).toBe(true);
  expect(await finds(indexes, bot, "socks")).toBe(false);
  expect(await finds(indexes, bot, "tents")).toBe(true);
  expect(read).toBe(6);
});

test("messages that come at once share one reading", async () => {
  const indexes = new KnowledgeIndexes(counting);
  await save(bot, "tents", "socks");
  const generation = await generationOf(bot);
  const found = await Promise.all(Array.from({ length: 5 }, () => indexes.find(bot, generation)));
  expect(new Set(found).size).toBe(1);
  expect(read).toBe(2);
});

test("the index that was used longest ago is forgotten once another needs the room", async () => {
  const indexes = new KnowledgeIndexes(counting, 1);
  await save(bot, "tents");
  await save(other, "socks");
  await finds(indexes, bot, "tents");
  await finds(indexes, other, "socks");
  await finds(indexes, other, "socks");
  expect(read).toBe(2);
  await finds(indexes, bot, "tents");
  expect(read).toBe(3);
  expect(indexes.bytes).toBeGreaterThan(0);
});

test("an index that could not be read is read by the next message", async () => {
  let fails = true;
  const indexes = new KnowledgeIndexes({
    ...counting,
    listPassageIds: async (key) => {
      if (fails) throw new Error("disk");
      return store.knowledge.listPassageIds(key);
    },
  });
  await save(bot, "tents");
  await expect(finds(indexes, bot, "tents")).rejects.toThrow("disk");
  await Bun.sleep(0);
  fails = false;
  expect(await finds(indexes, bot, "tents")).toBe(true);
});
