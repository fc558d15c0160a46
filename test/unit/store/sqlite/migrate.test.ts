import { describe, expect, test } from "bun:test";
import { existsSync, mkdtempSync, readdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";

import { openDatabase } from "../../../../src/store/sqlite/database.ts";
import { Sqlite } from "../../../../src/store/sqlite/driver.ts";
import { LATEST_SCHEMA, migrate } from "../../../../src/store/sqlite/migrate.ts";
import initial from "../../../../src/store/sqlite/migrations/0001-initial.sql" with { type: "text" };
import changes from "../../../../src/store/sqlite/migrations/0007-changes.sql" with { type: "text" };
import botLimits from "../../../../src/store/sqlite/migrations/0009-bot-limits.sql" with { type: "text" };
import operators from "../../../../src/store/sqlite/migrations/0011-operators.sql" with { type: "text" };
import { HANG_MS } from "../../../support/eventually.ts";

const OPEN = join(import.meta.dir, "../../../support/open-database.ts");
const newFolder = () => mkdtempSync(join(tmpdir(), "parley-test-"));

describe("opening a database", () => {
  test("creates folder, file and schema; every commit goes to disk", () => {
    const folder = join(newFolder(), "deep", "data");
    const db = openDatabase(join(folder, "parley.db"), 0);
    expect(db.pragma("user_version", { simple: true })).toBe(LATEST_SCHEMA);
    expect(db.pragma("journal_mode", { simple: true })).toBe("wal");
    expect(db.pragma("synchronous", { simple: true })).toBe(2);
    expect(db.pragma("foreign_keys", { simple: true })).toBe(1);
    db.close();
  });

  test("lets nobody but its owner read it", () => {
    const file = join(newFolder(), "data", "parley.db");
    const db = openDatabase(file, 0);
    expect(
      readdirSync(dirname(file)).map((name) => statSync(join(dirname(file), name)).mode & 0o777),
    ).toEqual(readdirSync(dirname(file)).map(() => 0o600));
    db.close();
  });

  test("makes only STRICT tables", () => {
    const db = openDatabase(":memory:", 0);
    const tables = db.pragma("table_list") as { name: string; strict: number; type: string }[];
    const lax = tables.filter(
      ({ name, strict, type }) => type !== "view" && strict === 0 && !name.startsWith("sqlite_"),
    );
    expect(lax).toEqual([]);
  });

  test("refuses a file of a newer Parley, and leaves it as it is", () => {
    const file = join(newFolder(), "parley.db");
    const db = openDatabase(file, 0);
    db.pragma(`user_version = ${LATEST_SCHEMA + 1}`);
    db.close();
    expect(() => openDatabase(file, 0)).toThrow(/newer Parley/);
  });

  test("refuses another program's database, and text", () => {
    const file = join(newFolder(), "parley.db");
    const other = new Sqlite(file);
    other.exec("CREATE TABLE theirs (x)");
    other.close();
    expect(() => openDatabase(file, 0)).toThrow(/not a Parley database/);
    const text = join(newFolder(), "parley.db");
    writeFileSync(text, "hello ".repeat(400));
    expect(() => openDatabase(text, 0)).toThrow(/not a Parley database/);
  });
});

describe("two processes that make a database at once", () => {
  test(
    "wait for each other where it has no write-ahead log yet, for which SQLite does not wait",
    async () => {
      const folder = newFolder();
      const file = join(folder, "parley.db");
      const first = new Sqlite(file);
      first.exec("BEGIN IMMEDIATE");
      const second = Bun.spawn([process.execPath, OPEN, file], { stdout: "pipe", stderr: "inherit" });
      const reader = second.stdout.getReader();
      const said = await reader.read();
      expect(new TextDecoder().decode(said.value)).toBe(`${file} is waited for: another process makes it\n`);
      first.exec("COMMIT");
      first.close();
      expect(await second.exited).toBe(0);
      const db = new Sqlite(file, { readonly: true });
      expect(db.pragma("user_version", { simple: true })).toBe(LATEST_SCHEMA);
      db.close();
    },
    HANG_MS,
  );

  test("do not take each other's for another program's", () => {
    const file = join(newFolder(), "parley.db");
    const [db, other] = [new Sqlite(file), new Sqlite(file)];
    const prepare = db.prepare.bind(db);
    // Between two looks of the first, when it is about to see whether there are tables.
    db.prepare = (sql: string) => {
      migrate(other, file, { now: Date.now });
      db.prepare = prepare;
      return prepare(sql);
    };
    migrate(db, file, { now: Date.now });
    expect(db.pragma("user_version", { simple: true })).toBe(LATEST_SCHEMA);
    other.close();
    db.close();
  });
});

describe("the copy before a migration", () => {
  const migrations = [
    ...Array.from({ length: LATEST_SCHEMA }, () => ""),
    "CREATE TABLE later (n INTEGER) STRICT;",
  ];
  const copyOf = (file: string, at: number, version = LATEST_SCHEMA) => `${file}.v${version}.${at}.backup`;

  test("is for its owner alone, and so are the ones that earlier versions made", () => {
    const file = join(newFolder(), "parley.db");
    const db = openDatabase(file, 0);
    writeFileSync(copyOf(file, 41, 1), "", { mode: 0o644 });
    migrate(db, file, { now: () => 42, migrations });
    for (const copy of [copyOf(file, 41, 1), copyOf(file, 42)]) {
      expect(statSync(copy).mode & 0o777).toBe(0o600);
    }
    db.close();
  });

  test("follows no link that was planted: nothing is written there, nothing is changed", () => {
    const folder = newFolder();
    const file = join(folder, "parley.db");
    const db = openDatabase(file, 0);
    symlinkSync(join(folder, "elsewhere"), copyOf(file, 42));
    expect(() => migrate(db, file, { now: () => 42, migrations })).toThrow(/was not copied/);
    expect(existsSync(join(folder, "elsewhere"))).toBe(false);
    expect(db.pragma("user_version", { simple: true })).toBe(LATEST_SCHEMA);
    db.close();
  });

  test("stays with the one before it; older ones go, and nothing else does", () => {
    const folder = newFolder();
    const file = join(folder, "parley.db");
    const db = openDatabase(file, 0);
    const others = [`${file}.v1.x.backup`, join(folder, "mine.v1.1.backup")];
    for (const name of [copyOf(file, 9, 1), copyOf(file, 10, 2), ...others]) writeFileSync(name, "");
    migrate(db, file, { now: () => 42, migrations });
    const left = readdirSync(folder).filter((name) => name.endsWith(".backup"));
    expect(left.toSorted()).toEqual(
      [copyOf(file, 10, 2), copyOf(file, 42), ...others].map((path) => basename(path)).toSorted(),
    );
    db.close();
  });
});

describe("a migration", () => {
  test("copies an existing file first, and none for a new one", () => {
    const folder = newFolder();
    const file = join(folder, "parley.db");
    const db = openDatabase(file, 0);
    expect(readdirSync(folder).filter((name) => name.includes("backup"))).toEqual([]);
    db.exec(
      "INSERT INTO bot_rows (id, enabled, version, created_at, updated_at) VALUES ('kept', 1, 1, 0, 0)",
    );
    migrate(db, file, {
      now: () => 42,
      migrations: [
        ...Array.from({ length: LATEST_SCHEMA }, () => ""),
        "CREATE TABLE later (n INTEGER) STRICT;",
      ],
    });
    expect(db.pragma("user_version", { simple: true })).toBe(LATEST_SCHEMA + 1);
    const backup = new Sqlite(`${file}.v${LATEST_SCHEMA}.42.backup`, { readonly: true });
    expect(backup.prepare("SELECT id FROM bots").pluck().all()).toEqual(["kept"]);
    expect(backup.pragma("user_version", { simple: true })).toBe(LATEST_SCHEMA);
  });

  test("that fails changes nothing", () => {
    const db = openDatabase(":memory:", 0);
    const migrations = [
      ...Array.from({ length: LATEST_SCHEMA }, () => ""),
      "CREATE TABLE half (n INTEGER); SELECT nonsense;",
    ];
    expect(() => migrate(db, ":memory:", { now: Date.now, migrations })).toThrow();
    expect(db.pragma("user_version", { simple: true })).toBe(LATEST_SCHEMA);
    expect(db.prepare("SELECT count(*) FROM sqlite_schema WHERE name = 'half'").pluck().get()).toBe(0);
  });

  test("keeps what was offered to visitors as a list, with the names for labels", () => {
    const db = new Sqlite(":memory:");
    migrate(db, ":memory:", { now: Date.now, migrations: [initial] });
    db.exec(`
      INSERT INTO bots (id, enabled, version, created_at, updated_at) VALUES ('old', 1, 1, 0, 0);
      INSERT INTO conversations (id, bot_key, created_at) VALUES ('cv_old', 1, 0);
      INSERT INTO turns (request_id, conversation_key, bot_version, state, at, input, response, capability_allowed, schema_enforced,
        schema_fallback_used, receipt)
      VALUES ('rq_old', 1, 1, 'complete', 0, 'hello', 'Hi.', 1, 0, 0, '{"rule":"help","suggestions":["orders.status","jokes.tell"]}')`);
    migrate(db, ":memory:", { now: Date.now });
    const receipt = db.prepare("SELECT receipt FROM turns").pluck().get() as string;
    expect(JSON.parse(receipt)).toEqual({
      rule: "help",
      suggestions: [
        { intent: "orders.status", label: "orders.status" },
        { intent: "jokes.tell", label: "jokes.tell" },
      ],
    });
  });
});

test("the limits of bots that an earlier version stored are known without their documents", () => {
  const db = new Sqlite(":memory:");
  db.exec(initial);
  const documents = [
    { rateLimit: { capacity: 3, perMinute: 0.5 }, monthlyMessageCap: 0, name: "Limited" },
    { monthlyTokenBudget: 1_000_000_000_000, intents: [] },
    { name: "Free" },
  ].map((document) => JSON.stringify(document));
  const insertBot = db.prepare(
    "INSERT INTO bots (key, id, enabled, version, created_at, updated_at) VALUES (?, ?, 1, 2, 0, 0)",
  );
  const insertVersion = db.prepare(
    "INSERT INTO bot_versions (bot_key, version, document, created_at) VALUES (?, ?, ?, 0)",
  );
  for (const [index, document] of [...documents, "{"].entries()) {
    insertBot.run(index, `bot-${index}`);
    insertVersion.run(index, 1, '{"monthlyMessageCap":7}');
    insertVersion.run(index, 2, document);
  }
  db.exec(botLimits);
  const limits = db.prepare<[], string>("SELECT limits FROM bots ORDER BY key").pluck().all();
  expect(limits.map((text) => JSON.parse(text) as object)).toEqual([
    { rateLimit: { capacity: 3, perMinute: 0.5 }, monthlyMessageCap: 0 },
    { monthlyTokenBudget: 1_000_000_000_000 },
    {},
    {},
  ]);
});

test("the record of changes goes on where it was when operators come, and lets them answer for changes", () => {
  const db = new Sqlite(":memory:");
  db.exec(changes);
  const insert = (kind: string) =>
    db
      .prepare(
        "INSERT INTO changes (at, actor_kind, actor_name, kind, subject, bots, fields) VALUES (1, ?, 'x', 'y', 'z', '[]', '[]')",
      )
      .run(kind);
  insert("user");
  expect(() => insert("operator")).toThrow("CHECK");
  const before = db.prepare("SELECT * FROM changes").all();
  db.exec(operators);
  expect(db.prepare("SELECT * FROM changes").all()).toEqual(before);
  expect([insert("operator").lastInsertRowid, insert("key").lastInsertRowid]).toEqual([2, 3]);
  expect(() => db.exec("DELETE FROM changes")).toThrow("never deleted");
  expect(() => db.exec("UPDATE changes SET at = 2")).toThrow("never edited");
});
