import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { Database } from "better-sqlite3";

import { Sqlite } from "../../../../src/store/sqlite/driver.ts";
import { LATEST_SCHEMA, migrate } from "../../../../src/store/sqlite/migrate.ts";
import initial from "../../../../src/store/sqlite/migrations/0001-initial.sql" with { type: "text" };
import sentenceModels from "../../../../src/store/sqlite/migrations/0002-sentence-models.sql" with { type: "text" };
import { SqliteStore } from "../../../../src/store/sqlite/sqlite-store.ts";
import { HANG_MS } from "../../../support/eventually.ts";

const UPGRADE = join(import.meta.dir, "../../../support/upgrade-database.ts");
const FIRST = "CREATE TABLE notes (text TEXT NOT NULL) STRICT; INSERT INTO notes VALUES ('kept');";
const SECOND = "ALTER TABLE notes ADD COLUMN at INTEGER; CREATE TABLE second (n INTEGER) STRICT;";
const THIRD = "CREATE TABLE third (n INTEGER) STRICT;";
/** Counts for longer than a test waits. */
const ENDLESS = `WITH RECURSIVE count (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM count WHERE n < 1e12) UPDATE notes SET at = (SELECT max(n) FROM count);`;
/** Counts for longer than a server waits for a lock. */
const SLOW = ENDLESS.replace("1e12", "3e6");

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "parley-test-"));
  file = join(folder, "parley.db");
});
afterEach(() => rmSync(folder, { recursive: true }));

function open(): Database {
  const db = new Sqlite(file);
  db.pragma("journal_mode = WAL");
  return db;
}

function makeOld(migrations: readonly string[], fill = ""): void {
  const db = open();
  migrate(db, file, { now: Date.now, migrations });
  db.exec(fill);
  db.close();
}

const versionOf = (db: Database) => db.pragma("user_version", { simple: true });
const copies = () => readdirSync(folder).filter((name) => name.endsWith(".backup"));
const parts = () => readdirSync(folder).filter((name) => name.includes(".part"));

function start(...migrations: string[]) {
  return Bun.spawn([process.execPath, UPGRADE, file, ...migrations], { stdout: "pipe", stderr: "pipe" });
}

/** Reads what a process says up to a line; the lines so far. */
async function readUntil(stream: ReadableStream<Uint8Array>, wanted: RegExp): Promise<string> {
  let said = "";
  const reader = stream.getReader();
  while (!wanted.test(said)) {
    const { done, value } = await reader.read();
    if (done) throw new Error(`ended after: ${said}`);
    said += new TextDecoder().decode(value);
  }
  reader.releaseLock();
  return said;
}

describe("an upgrade", () => {
  test(
    "of several processes at once is done by one, which copies; the others wait, however long it takes",
    async () => {
      makeOld([FIRST]);
      const all = Array.from({ length: 3 }, () => start(FIRST, SECOND, SLOW, THIRD));
      await Promise.all(all.map(({ stdout }) => readUntil(stdout, /ready/)));
      writeFileSync(`${file}.go`, "");
      const errors = await Promise.all(all.map(({ stderr }) => new Response(stderr).text()));
      const codes = await Promise.all(all.map(({ exited }) => exited));
      expect({ codes, errors }).toEqual({ codes: [0, 0, 0], errors: ["", "", ""] });
      expect(copies()).toHaveLength(1);
      const db = open();
      expect(versionOf(db)).toBe(4);
      db.close();
    },
    HANG_MS,
  );

  test(
    "that is killed goes on at its next start, and keeps the one copy of what was before",
    async () => {
      makeOld([FIRST]);
      writeFileSync(`${file}.go`, "");
      const killed = start(FIRST, SECOND, ENDLESS, THIRD);
      await readUntil(killed.stdout, /from schema 1 to 4/);
      const looking = open();
      while (versionOf(looking) !== 2) await Bun.sleep(1);
      looking.close();
      killed.kill("SIGTERM");
      expect(await killed.exited).not.toBe(0);
      expect(copies()).toHaveLength(1);
      const db = open();
      const said: string[] = [];
      const migrations = [FIRST, SECOND, "UPDATE notes SET at = 3;", THIRD];
      migrate(db, file, { now: Date.now, migrations, onUpgrade: (line) => said.push(line) });
      expect(versionOf(db)).toBe(4);
      expect(db.prepare("SELECT text, at FROM notes").all()).toEqual([{ text: "kept", at: 3 }]);
      expect(said[0]).toContain("from schema 2 to 4");
      expect(copies()).toHaveLength(1);
      const copy = new Sqlite(join(folder, copies()[0]!), { readonly: true });
      expect(versionOf(copy)).toBe(1);
      copy.close();
      db.close();
    },
    HANG_MS,
  );

  test("that fails at each start makes one copy, and no more", () => {
    makeOld([FIRST]);
    const db = open();
    for (const at of [41, 42, 43]) {
      expect(() => migrate(db, file, { now: () => at, migrations: [FIRST, SECOND, "nonsense"] })).toThrow();
    }
    expect(copies()).toEqual(["parley.db.v1.41.backup"]);
    expect(parts()).toEqual([]);
    migrate(db, file, { now: () => 44, migrations: [FIRST, SECOND, THIRD] });
    expect(copies()).toEqual(["parley.db.v1.41.backup"]);
    migrate(db, file, { now: () => 45, migrations: [FIRST, SECOND, THIRD, "CREATE TABLE fourth (n) "] });
    expect(copies().toSorted()).toEqual(["parley.db.v1.41.backup", "parley.db.v3.45.backup"]);
    expect(db.prepare("SELECT name FROM sqlite_schema WHERE name LIKE '%upgrade%'").all()).toEqual([]);
    db.close();
  });

  test("that fails at its first step is copied for anew at each try, as an older server may write in between", () => {
    makeOld([FIRST]);
    const db = open();
    const fail = (at: number) =>
      expect(() => migrate(db, file, { now: () => at, migrations: [FIRST, "nonsense"] })).toThrow();
    fail(41);
    db.exec("INSERT INTO notes VALUES ('written in between')");
    fail(42);
    expect(copies()).toEqual(["parley.db.v1.42.backup"]);
    const copy = new Sqlite(join(folder, copies()[0]!), { readonly: true });
    expect(copy.prepare("SELECT text FROM notes").pluck().all()).toEqual(["kept", "written in between"]);
    copy.close();
    db.close();
  });

  test.each([
    ["a row was added", "INSERT INTO notes (text) VALUES ('written in between')"],
    ["a server's clock went on", "UPDATE clock SET heartbeat_at = 7"],
  ])("copies anew, and keeps the first copy, where since it was stopped %s", (_, write) => {
    const [first, clock] = [
      `${FIRST} CREATE TABLE clock (heartbeat_at INTEGER) STRICT;`,
      "INSERT INTO clock VALUES (1);",
    ];
    makeOld([first]);
    const db = open();
    const upgrade = (at: number, third: string) =>
      migrate(db, file, { now: () => at, migrations: [first, SECOND + clock, third] });
    expect(() => upgrade(41, "nonsense")).toThrow();
    expect(() => upgrade(42, "nonsense")).toThrow();
    expect(copies()).toEqual(["parley.db.v1.41.backup"]);
    // As an executable does that knows schema 2, and no later one.
    db.exec(write);
    expect(() => upgrade(43, "nonsense")).toThrow();
    upgrade(44, THIRD);
    expect(copies().toSorted()).toEqual(["parley.db.v1.41.backup", "parley.db.v2.44.backup"]);
    const copy = new Sqlite(join(folder, "parley.db.v2.44.backup"), { readonly: true });
    const notes = copy.prepare("SELECT count(*) FROM notes").pluck().get();
    const clockAt = copy.prepare("SELECT heartbeat_at FROM clock").pluck().get();
    expect([notes, clockAt]).toContain(write.includes("notes") ? 2 : 7);
    copy.close();
    db.close();
  });

  test("lets others write while it copies", () => {
    makeOld([FIRST]);
    const db = open();
    const server = new Sqlite(file, { timeout: 0 });
    const now = () => {
      if (copies().length === 0) server.exec("INSERT INTO notes VALUES ('served')");
      return 42;
    };
    migrate(db, file, { now, migrations: [FIRST, SECOND] });
    expect(copies()).toEqual(["parley.db.v1.42.backup"]);
    expect(db.prepare("SELECT count(*) FROM notes WHERE text = 'served'").pluck().get()).toBeGreaterThan(0);
    server.close();
    db.close();
  });

  test("that waits for another process's is refused where that one is newer", () => {
    makeOld([FIRST]);
    const db = open();
    const newer = open();
    const onUpgrade = () => void newer.pragma("user_version = 3");
    expect(() => migrate(db, file, { now: Date.now, migrations: [FIRST, SECOND], onUpgrade })).toThrow(
      /newer Parley/,
    );
    expect(copies()).toEqual([]);
    newer.close();
    db.close();
  });

  test("leaves nothing behind but the copy", () => {
    makeOld([FIRST]);
    const db = open();
    const before = readdirSync(folder);
    migrate(db, file, { now: () => 42, migrations: [FIRST, SECOND] });
    expect(readdirSync(folder).toSorted()).toEqual([...before, "parley.db.v1.42.backup"].toSorted());
    db.close();
  });

  test("copies anew where the copy of the one that was interrupted is gone", () => {
    makeOld([FIRST]);
    const db = open();
    const fail = (at: number) =>
      expect(() => migrate(db, file, { now: () => at, migrations: [FIRST, SECOND, "nonsense"] })).toThrow();
    fail(41);
    rmSync(join(folder, copies()[0]!));
    fail(42);
    expect(copies()).toEqual(["parley.db.v2.42.backup"]);
    db.close();
  });

  test(
    "says how far it is where a step takes more than a second; a new database says nothing",
    () => {
      makeOld([FIRST, SECOND]);
      const db = open();
      const said: string[] = [];
      const onUpgrade = (line: string) => void said.push(line);
      let clock = 0;
      db.function("wait", (seconds: number) => void (clock += seconds * 1000));
      const migrations = [FIRST, SECOND, "SELECT wait(1)", "SELECT wait(90)"];
      migrate(db, file, { now: () => clock, migrations, onUpgrade });
      expect(said).toEqual([
        `${file} is copied and brought up to date, from schema 2 to 4`,
        `${file} is at schema 4 of 4 (90 s)`,
      ]);
      db.close();
      const made: string[] = [];
      const other = new Sqlite(join(folder, "new.db"));
      const asNew = { now: Date.now, onUpgrade: (line: string) => void made.push(line) };
      migrate(other, join(folder, "new.db"), asNew);
      expect(made).toEqual([]);
      other.close();
    },
    HANG_MS,
  );
});

/** Turns of a version that noted offers as names alone, in conversations of ten. */
const MANY_TURNS = `
  INSERT INTO bots (id, enabled, version, created_at, updated_at) VALUES ('old', 1, 1, 0, 0);
  WITH RECURSIVE count (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM count WHERE n < 29999)
  INSERT INTO conversations (key, id, bot_key, created_at) SELECT n + 1, 'cv_' || n, 1, n FROM count;
  WITH RECURSIVE count (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM count WHERE n < 299999)
  INSERT INTO turns (request_id, conversation_key, bot_version, state, at, input, response, capability_allowed, schema_enforced,
    schema_fallback_used, receipt)
  SELECT 'rq_' || n, n / 10 + 1, 1, 'complete', n, 'message ' || n, 'an answer', 1, 0, 0, '{"suggestions":["orders.status"]}' FROM count;`;

test(
  "a table of 300,000 turns is brought up to date, by a server that waits for nobody",
  async () => {
    makeOld([initial, sentenceModels], MANY_TURNS);
    const said: string[] = [];
    await using _ = new SqliteStore({
      dataDir: folder,
      now: Date.now,
      busyTimeoutMs: 0,
      onUpgrade: (line) => void said.push(line),
    });
    expect(said[0]).toContain(`from schema 2 to ${LATEST_SCHEMA}`);
    const db = new Sqlite(file, { readonly: true });
    expect(versionOf(db)).toBe(LATEST_SCHEMA);
    const labels = db.prepare(
      "SELECT receipt ->> '$.suggestions[0].label' AS label, count(*) AS turns FROM turns",
    );
    expect(labels.all()).toEqual([{ label: "orders.status", turns: 300_000 }]);
    db.close();
    expect(existsSync(join(folder, copies()[0]!))).toBe(true);
  },
  HANG_MS,
);

test("a server of the version before goes on telling of turns once, on the upgraded file", () => {
  makeOld([initial, sentenceModels]);
  const db = open();
  migrate(db, file, { now: Date.now });
  // As that version writes it; SQLite finds the index by the condition's very words.
  const tell = `INSERT INTO deliveries (id, channel, target, event, bot_key, subject, state, attempts, created_at, next_at)
    VALUES (?, 'webhook', 'crm', 'turn.refused', 1, 'r1', 'waiting', 0, 1, 1)
    ON CONFLICT (target, event, subject, bot_key) WHERE event IN ('cap.near', 'turn.refused', 'turn.unmatched') DO NOTHING`;
  db.pragma("foreign_keys = OFF");
  expect([db.prepare(tell).run("a").changes, db.prepare(tell).run("b").changes]).toEqual([1, 0]);
  db.close();
});
