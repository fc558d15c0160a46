import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { SearchIndex } from "../../../src/knowledge/search-index.ts";
import { documentId } from "../../../src/knowledge/sources/identity.ts";
import { termsOf } from "../../../src/knowledge/terms.ts";
import { readKnowledge, storeKnowledge } from "../../../src/operate/refresh-knowledge.ts";
import { uploadDocument } from "../../../src/operate/uploaded-documents.ts";
import type { BotKey } from "../../../src/store/interface/bots.ts";
import type { ChangeSources } from "../../../src/store/interface/knowledge.ts";
import type { Store } from "../../../src/store/interface/store.ts";
import { shopBot } from "../../support/bots.ts";
import { documentOf } from "../../support/knowledge.ts";
import { isOnPostgres, openTestStore, type TestStore } from "../../support/store-under-test.ts";

const NOW = Date.UTC(2026, 10, 22);

let dataDir: string;
let opened: TestStore;
let store: Store;
let bot: BotKey;
beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), "parley-knowledge-"));
  opened = await openTestStore(dataDir, () => NOW);
  ({ store } = opened);
  await store.bots.seed([shopBot()], { prune: false, dryRun: false });
  bot = (await store.bots.find("shop"))!.key;
});
afterEach(async () => {
  await store[Symbol.asyncDispose]();
  await opened.drop();
  rmSync(dataDir, { recursive: true, force: true });
});

const COUNT = "SELECT count(*) FROM knowledge_passages";

function isSettled(promise: Promise<unknown>): () => boolean {
  let settled = false;
  const settle = () => (settled = true);
  promise.then(settle, settle);
  return () => settled;
}

async function bodies(): Promise<string[]> {
  const found = await store.knowledge.findPassages(await store.knowledge.listPassageIds(bot));
  return [...found.values()].map(({ body }) => body);
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
    await opened.runSql(
      `UPDATE knowledge_passages SET terms_version = 0,
         terms = (SELECT terms FROM knowledge_passages WHERE body = 'Tents dry.') WHERE body = 'Socks.'`,
    );
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
    expect(await opened.runSql("SELECT key FROM knowledge_documents")).toHaveLength(2);
    expect(await opened.runSql("SELECT key FROM knowledge_passages")).toHaveLength(2);
  });

  test("that are large are written in steps, and are as they were until the last", async () => {
    await store.knowledge.saveDocuments(bot, [documentOf("a.md", ["Old."])]);
    const many = Array.from({ length: 450 }, (_, i) => `Sentence ${i}.`);
    const steps: number[] = [];
    const seen: number[] = [];
    const reading: Promise<void>[] = [];
    await store.knowledge.saveDocuments(bot, [documentOf("a.md", many)], (passages) => {
      steps.push(passages);
      reading.push(store.knowledge.listDocuments(bot).then(([found]) => void seen.push(found!.passages)));
    });
    await Promise.all(reading);
    expect(steps).toEqual([200, 200, 50]);
    expect([1, 450]).toEqual(expect.arrayContaining([...new Set(seen)]));
    // On PostgreSQL the document may be whole before the first of them is answered.
    if (!isOnPostgres) expect(seen[0]).toBe(1);
    expect(await bodies()).toEqual(many);
    expect(await opened.runSql("SELECT key FROM knowledge_passages")).toHaveLength(450);
  });

  test("are as they were where a command ends in the middle of one", async () => {
    await store.knowledge.saveDocuments(bot, [documentOf("a.md", ["Old."])]);
    const many = documentOf(
      "a.md",
      Array.from({ length: 450 }, (_, i) => `Sentence ${i}.`),
    );
    let steps = 0;
    const saving = store.knowledge.saveDocuments(bot, [many], () => {
      if (++steps === 2) throw new Error("killed");
    });
    await expect(saving).rejects.toThrow("killed");
    expect(await bodies()).toEqual(["Old."]);
    await store.knowledge.saveDocuments(bot, [many]);
    expect(await bodies()).toHaveLength(450);
  });

  test("that two commands store at once are whole, and there once", async () => {
    const another = await opened.openAnother();
    const texts = (name: string) => Array.from({ length: 450 }, (_, i) => `${name} ${i}.`);
    const of = (name: string) => [documentOf("both.md", texts(name)), documentOf(`${name}.md`, texts(name))];
    await Promise.all([
      store.knowledge.saveDocuments(bot, of("one")),
      another.knowledge.saveDocuments(bot, of("two")),
    ]);
    await another[Symbol.asyncDispose]();
    const documents = await store.knowledge.listDocuments(bot);
    expect(documents.map(({ place, passages }) => [place, passages])).toEqual([
      ["both.md", 450],
      ["one.md", 450],
      ["two.md", 450],
    ]);
    const found = (await bodies()).toSorted();
    const others = [...texts("one"), ...texts("two")];
    expect([texts("one"), texts("two")].map((both) => [...others, ...both].toSorted())).toContainEqual(found);
  });

  test("of which two have one id are one, the latter", async () => {
    await store.knowledge.saveDocuments(bot, [documentOf("a.md", ["First."]), documentOf("a.md", ["Last."])]);
    expect(await bodies()).toEqual(["Last."]);
  });

  test("keep every character of their texts, and may have no words", async () => {
    const odd = ['quotes " \\ {,} NULL\n\n€ 🏕', "NULL", "", "…", "{}"];
    await store.knowledge.saveDocuments(bot, [documentOf("a.md", odd, { title: 'A "\\{}", NULL' })]);
    expect(await bodies()).toEqual(odd);
    const ids = await store.knowledge.listPassageIds(bot);
    expect((await store.knowledge.readTerms(ids)).map(({ id }) => id)).toEqual(ids);
    const [document] = await store.knowledge.listDocuments(bot);
    expect(document).toMatchObject({ title: 'A "\\{}", NULL', passages: 5 });
  });

  test("never have a passage's id twice", async () => {
    await store.knowledge.saveDocuments(bot, [documentOf("a.md", ["A."])]);
    const [before] = await store.knowledge.listPassageIds(bot);
    await store.knowledge.removeDocuments(bot, [documentId("a.md")]);
    await store.knowledge.saveDocuments(bot, [documentOf("b.md", ["B."])]);
    expect((await store.knowledge.listPassageIds(bot))[0]).toBeGreaterThan(before!);
    expect(await store.knowledge.findPassages([before!])).toEqual(new Map());
  });

  test("that change are noted, with who changed them", async () => {
    await store.knowledge.saveDocuments(bot, [documentOf("a.md", ["A."]), documentOf("b.md", ["B."])]);
    await store.knowledge.noteChange(bot, { stored: 2, removed: 1 });
    const [change] = await store.changes.list({ limit: 1 });
    expect(change).toMatchObject({
      kind: "knowledge.changed",
      subject: "shop",
      fields: [
        { field: "documents.stored", after: 2 },
        { field: "documents.removed", after: 1 },
        { field: "documents", after: 2 },
      ],
    });
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
    await opened.runSql(
      `INSERT INTO knowledge_documents (bot_key, id, source, place, title, hash, stored_at, is_live)
       VALUES (${bot}, 'old', 'docs/', 'x.md', 'X', '1.x', ${NOW - 2 * 60 * 60_000}, ${isOnPostgres ? "false" : 0})`,
    );
    await store.knowledge.saveDocuments(bot, [documentOf("a.md", ["A."])]);
    expect(await opened.runSql("SELECT id FROM knowledge_documents WHERE NOT is_live")).toEqual([]);
  });

  test.skipIf(isOnPostgres)("that are removed leave nothing in any file", async () => {
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

  test("that are many go in steps, so that messages are stored in between", async () => {
    const documents = Array.from({ length: 1200 }, (_, i) => documentOf(`${i}.md`, [`Text ${i}.`]));
    await store.knowledge.saveDocuments(bot, [...documents, documentOf("stays.md", ["S."])]);
    const left = new Set<number>();
    const count = async () => Number(Object.values((await opened.runSql(COUNT))[0]!)[0]);
    const removal = store.knowledge.removeDocuments(
      bot,
      documents.map(({ id }) => id),
    );
    for (const isDone = isSettled(removal); !isDone(); await Bun.sleep(1)) left.add(await count());
    await removal;
    expect(left.size).toBeGreaterThan(2);
    expect(await count()).toBe(1);
    expect(await bodies()).toEqual(["S."]);
  });

  test("go in steps of their own after their bot is deleted, with its sources", async () => {
    await store.knowledge.changeSources(bot, () => [
      { name: "docs/", origin: "bot-file", folder: "/bots", entry: "docs/" },
    ]);
    await store.knowledge.saveDocuments(bot, [documentOf("a.md", ["A.", "B."]), documentOf("b.md", ["C."])]);
    await store.bots.delete("shop");
    const left = async () => (await opened.runSql("SELECT 1 FROM knowledge_passages")).length;
    const counts: number[] = [];
    do {
      counts.push(await left());
    } while ((await store.erasure.eraseSomeOf(bot, 1)) > 0);
    expect(counts.slice(0, 4)).toEqual([3, 2, 1, 0]);
    for (const table of ["bot_rows", "knowledge", "knowledge_sources", "knowledge_documents"])
      expect(await opened.runSql(`SELECT 1 FROM ${table}`)).toHaveLength(0);
  });

  test("tell a running server of every change", async () => {
    const server = await opened.openAnother();
    const watch = await server.watchGeneration();
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

const AS_THEY_ARE: ChangeSources = (stored) => stored;
const README = join(import.meta.dir, "../../../README.md");

test("a source that has retired keeps its documents until all are read again, and its folder", async () => {
  const source = { name: "docs/", origin: "bot-file", folder: "/bots", entry: "docs/" } as const;
  const retired = { ...source, isRetired: true } as const;
  const document = documentOf("docs/a.md", ["A."], { source: "docs/" });
  await store.knowledge.changeSources(bot, () => [source]);
  await store.knowledge.saveDocuments(bot, [document]);
  await store.knowledge.changeSources(bot, () => [retired]);
  expect(await bodies()).toEqual([]);
  const read = async (only?: ReadonlySet<string>) => {
    const parts = { now: () => NOW, fetching: { allowedHosts: new Set<string>() } };
    const known = await store.knowledge.listDocuments(bot);
    const stored = await store.knowledge.listSources(bot);
    const sources = { stored, change: AS_THEY_ARE, known, ...(only && { only }) };
    return storeKnowledge(store.knowledge, bot, await readKnowledge(parts, sources));
  };
  expect(await read(new Set(["other"]))).toMatchObject({ removed: 0, sources: [] });
  expect(await store.knowledge.listDocuments(bot)).toHaveLength(1);
  expect(await read()).toMatchObject({ removed: 1, sources: [] });
  expect(await store.knowledge.listDocuments(bot)).toEqual([]);
  expect(await store.knowledge.listSources(bot)).toEqual([retired]);
});

test("what is uploaded while documents are read, or sources change, stays a source", async () => {
  const source = { name: "a.md", origin: "command", folder: "/", entry: "a.md" } as const;
  const upload = () =>
    uploadDocument(
      store.knowledge,
      bot,
      { name: "b.md", bytes: Buffer.from("# B\n\nB.") },
      AbortSignal.timeout(60_000),
    );
  // Both have looked at the sources before either has written them.
  await Promise.all([upload(), store.knowledge.changeSources(bot, (stored) => [source, ...stored])]);
  const names = async () => (await store.knowledge.listSources(bot)).map(({ name }) => name);
  expect(await names()).toEqual(["a.md", "upload://"]);
  const parts = { now: () => NOW, fetching: { allowedHosts: new Set<string>() } };
  const known = await store.knowledge.listDocuments(bot);
  const read = await readKnowledge(parts, { stored: [], change: () => [], known });
  expect(await storeKnowledge(store.knowledge, bot, read)).toMatchObject({ removed: 0 });
});

describe("sources that change while documents are read", () => {
  const added = (name: string) => ({ name, origin: "command", folder: "/", entry: name }) as const;
  const parts = { now: () => NOW, fetching: { allowedHosts: new Set<string>() } };
  const names = async () => (await store.knowledge.listSources(bot)).map(({ name }) => name);
  const documents = async () => (await store.knowledge.listDocuments(bot)).map(({ place }) => place);
  /** Reads with the sources as they are now; what is stored of it comes later. */
  const begin = async (change: ChangeSources, only?: string) => {
    const stored = await store.knowledge.listSources(bot);
    const known = await store.knowledge.listDocuments(bot);
    const sources = { stored, change, known, ...(only !== undefined && { only: new Set([only]) }) };
    const read = await readKnowledge(parts, sources);
    return () => storeKnowledge(store.knowledge, bot, read);
  };

  test("by two operators who add one each keep both", async () => {
    const first = await begin((stored) => [...stored, added("/one.md")], "/one.md");
    const second = await begin((stored) => [...stored, added("/two.md")], "/two.md");
    await second();
    await first();
    expect(await names()).toEqual(["/two.md", "/one.md"]);
  });

  test("keep a source, and its documents, that came after a refresh had listed them", async () => {
    const refresh = await begin(AS_THEY_ARE);
    await store.knowledge.changeSources(bot, () => [added("/late.md")]);
    await store.knowledge.saveDocuments(bot, [documentOf("/late.md", ["L."], { source: "/late.md" })]);
    await refresh();
    expect(await names()).toEqual(["/late.md"]);
    expect(await documents()).toEqual(["/late.md"]);
  });

  test("do not bring back a source that was removed, nor what was read of it", async () => {
    await store.knowledge.changeSources(bot, () => [added(README)]);
    const refresh = await begin(AS_THEY_ARE);
    await store.knowledge.changeSources(bot, () => []);
    await refresh();
    expect(await names()).toEqual([]);
    expect(await documents()).toEqual([]);
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
  await store.knowledge.changeSources(bot, () => sources);
  expect(await store.knowledge.listSources(bot)).toEqual(sources);
  await store.knowledge.changeSources(bot, () => sources.slice(0, 1));
  expect(await store.knowledge.listSources(bot)).toEqual(sources.slice(0, 1));
});
