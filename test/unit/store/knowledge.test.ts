import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { SearchIndex } from "../../../src/knowledge/search-index.ts";
import { documentId } from "../../../src/knowledge/sources/identity.ts";
import { termsOf } from "../../../src/knowledge/terms.ts";
import { Sqlite } from "../../../src/store/driver.ts";
import type { BotKey } from "../../../src/store/interface/bots.ts";
import { SqliteStore } from "../../../src/store/store.ts";
import { shopBot } from "../../support/bots.ts";
import { documentOf } from "../../support/knowledge.ts";

const NOW = Date.UTC(2026, 10, 22);

let dataDir: string;
let store: SqliteStore;
let bot: BotKey;
beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), "parley-knowledge-"));
  store = new SqliteStore({ dataDir, now: () => NOW, busyTimeoutMs: 5000 });
  await store.bots.seed([shopBot()], { prune: false, dryRun: false });
  bot = (await store.bots.find("shop"))!.key;
});
afterEach(async () => {
  await store[Symbol.asyncDispose]();
  rmSync(dataDir, { recursive: true, force: true });
});

async function bodies(): Promise<string[]> {
  const found = await store.knowledge.findPassages(await store.knowledge.listPassageIds(bot));
  return [...found.values()].map(({ body }) => body);
}

function query<Row>(sql: string): Row[] {
  const db = new Sqlite(join(dataDir, "parley.db"), { readonly: true });
  try {
    return db.prepare<[], Row>(sql).all();
  } finally {
    db.close();
  }
}

describe("documents", () => {
  test("are found again with their passages", async () => {
    const document = documentOf("docs/tents.md", ["Tents dry in the air."], {
      title: "Tents",
      url: "https://acme.example/tents",
      etag: '"1"',
      lastModified: "Sun, 22 Nov 2026 00:00:00 GMT",
    });
    const [passage] = document.passages;
    const placed = { ...passage!, headingPath: ["Care", "Drying"], anchor: "drying" };
    await store.knowledge.saveDocuments(bot, [{ ...document, passages: [placed] }]);
    const { passages: _, ...known } = document;
    expect(await store.knowledge.listDocuments(bot)).toEqual([{ ...known, passages: 1 }]);
    const [id] = await store.knowledge.listPassageIds(bot);
    expect([...(await store.knowledge.findPassages([id!, 999]))]).toEqual([
      [
        id!,
        {
          documentId: documentId("docs/tents.md"),
          title: "Tents",
          url: "https://acme.example/tents",
          headingPath: ["Care", "Drying"],
          anchor: "drying",
          body: "Tents dry in the air.",
        },
      ],
    ]);
  });

  test("are found by their terms, also by those that an earlier version made", async () => {
    await store.knowledge.saveDocuments(bot, [
      documentOf("a.md", ["Tents dry."]),
      documentOf("b.md", ["Socks."]),
    ]);
    const db = new Sqlite(join(dataDir, "parley.db"));
    db.exec("UPDATE knowledge_passages SET terms = x'00', terms_version = 0 WHERE body = 'Socks.'");
    db.close();
    const ids = await store.knowledge.listPassageIds(bot);
    const index = SearchIndex.build(await store.knowledge.readTerms(ids));
    const [tents] = index.search(termsOf("tents"), 3);
    const [socks] = index.search(termsOf("socks"), 3);
    expect([tents?.id, socks?.id]).toEqual(ids);
  });

  test("are replaced whole, and never stand twice", async () => {
    await store.knowledge.saveDocuments(bot, [
      documentOf("a.md", ["Old.", "Older."]),
      documentOf("b.md", ["Kept."]),
    ]);
    await store.knowledge.saveDocuments(bot, [documentOf("a.md", ["New."])]);
    expect(await bodies()).toEqual(["Kept.", "New."]);
    expect(query("SELECT key FROM knowledge_documents")).toHaveLength(2);
    expect(query("SELECT key FROM knowledge_passages")).toHaveLength(2);
  });

  test("that are large are written in steps, and are as they were until the last", async () => {
    await store.knowledge.saveDocuments(bot, [documentOf("a.md", ["Old."])]);
    const many = Array.from({ length: 450 }, (_, i) => `Sentence ${i}.`);
    const steps: number[] = [];
    const seen: string[][] = [];
    const reading: Promise<void>[] = [];
    await store.knowledge.saveDocuments(bot, [documentOf("a.md", many)], (passages) => {
      steps.push(passages);
      reading.push(bodies().then((found) => void seen.push(found)));
    });
    await Promise.all(reading);
    expect(steps).toEqual([200, 200, 50]);
    expect(seen[0]).toEqual(["Old."]);
    expect(await bodies()).toEqual(many);
    expect(query("SELECT key FROM knowledge_passages")).toHaveLength(450);
  });

  test("that many are written together are at most 200 passages at a time", async () => {
    const documents = Array.from({ length: 90 }, (_, i) =>
      documentOf(`${i}.md`, ["A.", "B.", "C.", "D.", "E."]),
    );
    const steps: number[] = [];
    await store.knowledge.saveDocuments(bot, documents, (passages) => steps.push(passages));
    expect(steps).toEqual([200, 200, 50]);
  });

  test("that a command left half written go with the next change", async () => {
    const db = new Sqlite(join(dataDir, "parley.db"));
    const insert = db.prepare(
      `INSERT INTO knowledge_documents (bot_key, id, source, place, title, hash, stored_at, is_live)
       VALUES (?, ?, 'docs/', 'x.md', 'X', '1.x', ?, 0)`,
    );
    insert.run(bot, "old", NOW - 2 * 60 * 60_000);
    db.close();
    await store.knowledge.saveDocuments(bot, [documentOf("a.md", ["A."])]);
    expect(query("SELECT id FROM knowledge_documents WHERE is_live = 0")).toEqual([]);
  });

  test("that are removed leave nothing in any file", async () => {
    const canary = "xylophonecanary";
    await store.knowledge.saveDocuments(bot, [
      documentOf("a.md", [`The ${canary} sings.`]),
      documentOf("b.md", ["B."]),
    ]);
    await store.knowledge.removeDocuments(bot, [documentId("a.md")]);
    await store.erasure.wipeFiles();
    expect(await bodies()).toEqual(["B."]);
    for (const name of readdirSync(dataDir))
      expect(readFileSync(join(dataDir, name)).includes(canary)).toBe(false);
  });

  test("go with their bot", async () => {
    await store.knowledge.saveDocuments(bot, [documentOf("a.md", ["A."])]);
    await store.knowledge.saveSources(bot, [
      { name: "docs/", origin: "bot-file", folder: "/bots", entry: "docs/" },
    ]);
    await store.bots.delete("shop");
    for (const table of ["knowledge", "knowledge_sources", "knowledge_documents", "knowledge_passages"])
      expect(query(`SELECT 1 FROM ${table}`)).toEqual([]);
  });

  test("tell a running server of every change", async () => {
    const server = new SqliteStore({ dataDir, now: () => NOW, busyTimeoutMs: 0 });
    const watch = await server.watchRegistry();
    expect(await server.knowledge.generations()).toEqual(new Map());
    await store.knowledge.saveDocuments(bot, [documentOf("a.md", ["A."])]);
    expect(await watch.poll()).toBe(true);
    const before = (await server.knowledge.generations()).get(bot)!;
    await store.knowledge.removeDocuments(bot, [documentId("a.md")]);
    expect(await watch.poll()).toBe(true);
    expect((await server.knowledge.generations()).get(bot)).toBeGreaterThan(before);
    await server[Symbol.asyncDispose]();
  });
});

test("sources are kept in their order, with how reading them went", async () => {
  const sources = [
    { name: "docs/", origin: "bot-file" as const, folder: "/bots", entry: "docs/" },
    {
      name: "a.md",
      origin: "command" as const,
      folder: "/",
      entry: { path: "a.md", url: "https://acme.example/" },
      outcome: { at: NOW, unreadable: "not found", skipped: [{ place: "b", reason: "empty", isKept: true }] },
    },
  ];
  await store.knowledge.saveSources(bot, sources);
  expect(await store.knowledge.listSources(bot)).toEqual(sources);
  await store.knowledge.saveSources(bot, sources.slice(0, 1));
  expect(await store.knowledge.listSources(bot)).toEqual(sources.slice(0, 1));
});
