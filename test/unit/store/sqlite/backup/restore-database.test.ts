import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import {
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";

import type { Actor } from "../../../../../src/domain/change.ts";
import { backupDatabase } from "../../../../../src/store/sqlite/backup/backup-database.ts";
import { lockAlone, replacementSteps } from "../../../../../src/store/sqlite/backup/replace-database.ts";
import {
  type RestoreOptions,
  restoreDatabase,
} from "../../../../../src/store/sqlite/backup/restore-database.ts";
import { Sqlite } from "../../../../../src/store/sqlite/driver.ts";
import { LATEST_SCHEMA, migrate } from "../../../../../src/store/sqlite/migrate.ts";
import initial from "../../../../../src/store/sqlite/migrations/0001-initial.sql" with { type: "text" };
import { SqliteStore } from "../../../../../src/store/sqlite/sqlite-store.ts";
import {
  FILLED_TABLES,
  FilledFolder,
  readInputs,
  readTables,
  tablesBefore,
  zeroMiddle,
} from "../../../../support/databases.ts";
import { startParley } from "../../../../support/parley.ts";

const AT = Date.UTC(2026, 10, 30, 12);
const BY: Actor = { kind: "user", name: "ann", command: "restore" };
const KEPT = "parley.db.before-restore-2026-11-30T12-00-00.000Z";

/** The folder that is backed up. */
let source: FilledFolder;
/** The folder that is restored into. */
let target: FilledFolder;
let backup: string;
beforeEach(async () => {
  source = new FilledFolder();
  target = new FilledFolder();
  backup = source.path("copy.db");
  await source.fill("one", "two");
  await backupDatabase({ database: source.database, file: backup, replace: false, now: Date.now });
});
afterEach(() => {
  source[Symbol.dispose]();
  target[Symbol.dispose]();
});

function restore(options: Partial<RestoreOptions> = {}) {
  return restoreDatabase({ file: backup, dataDir: target.dataDir, now: () => AT, by: BY, ...options });
}

const names = () => readdirSync(target.dataDir).toSorted();

/** Leaves a database with a log beside it, as a killed server does. Of what is stored, the last change stands in the log alone. */
async function leaveLog(...inputs: string[]): Promise<void> {
  const running = new FilledFolder();
  await running.fill(...inputs);
  const db = new Sqlite(running.database);
  db.exec("UPDATE turns SET input = 'in the log' WHERE input = 'hello'");
  mkdirSync(target.dataDir, { recursive: true });
  for (const suffix of ["", "-wal", "-shm"]) {
    copyFileSync(running.database + suffix, target.database + suffix);
  }
  db.close();
  running[Symbol.dispose]();
}

/** As `leaveLog`, of a database that can no longer be read. */
async function leaveDamaged(): Promise<void> {
  await leaveLog("old");
  writeFileSync(target.database, "no database at all ".repeat(10_000));
}

async function openInputs(): Promise<string[]> {
  await using store = target.openStore();
  expect((await store.bots.list()).map(({ id }) => String(id))).toEqual(["shop"]);
  return readInputs(target.database);
}

describe("a restore", () => {
  test("brings back every row of every table, into a folder that was not there", async () => {
    const before = readTables(source.database);
    const { kept, contents } = await restore();
    const restored = readTables(target.database);
    expect(tablesBefore("database.restored", restored)).toEqual(before);
    expect(FILLED_TABLES.filter((table) => !restored.get(table)?.length)).toEqual([]);
    expect({ kept, contents }).toEqual({
      kept: [],
      contents: { schema: LATEST_SCHEMA, bots: 1, embedTokens: 1, conversations: 1, turns: 3 },
    });
    expect(names()).toEqual(["parley.db", "parley.db.marker", "parley.lock"]);
    expect(statSync(target.database).mode & 0o777).toBe(0o600);
  });

  test("is what a server goes on with: tokens, bots, conversations, counters", async () => {
    await restore();
    await using store = target.openStore();
    await store.giveBackUnfinished();
    const bot = (await store.bots.find("shop"))!.key;
    expect((await store.embedTokens.list()).map(({ botIds }) => botIds.map(String))).toEqual([["shop"]]);
    expect(await store.usage.read(bot, Date.now())).toBe(2);
    expect(await store.findIntentModel("model-1")).toEqual(Buffer.from([1, 2, 3]));
  });

  test("keeps what it replaces, with what stood in its log alone", async () => {
    await leaveLog("old");
    const { kept } = await restore();
    expect(kept).toEqual([join(target.dataDir, KEPT)]);
    expect(names()).toEqual(["parley.db", KEPT, "parley.db.marker", "parley.lock"]);
    expect(readInputs(join(target.dataDir, KEPT))).toEqual(["old", "in the log"]);
    expect(await openInputs()).toEqual(["one", "two", "hello"]);
  });

  test("keeps a damaged database with its log as they are", async () => {
    await leaveDamaged();
    const log = readFileSync(`${target.database}-wal`);
    const { kept } = await restore();
    expect(kept.map((file) => file.slice(target.dataDir.length + 1))).toEqual([
      KEPT,
      `${KEPT}-wal`,
      `${KEPT}-shm`,
    ]);
    expect(readFileSync(`${join(target.dataDir, KEPT)}-wal`)).toEqual(log);
    expect(names()).toEqual([
      "parley.db",
      KEPT,
      `${KEPT}-shm`,
      `${KEPT}-wal`,
      "parley.db.marker",
      "parley.lock",
    ]);
    expect(await openInputs()).toEqual(["one", "two", "hello"]);
  });

  test("mends a folder whose database was lost, and in which no server starts for that", async () => {
    await target.fill("old");
    rmSync(target.database);
    writeFileSync(`${target.database}-wal`, "the log of a database that is gone");
    expect(() => target.openStore()).toThrow(/parley\.db is missing, .* restore a backup/);
    await restore();
    expect(await openInputs()).toEqual(["one", "two", "hello"]);
  });

  test("takes a copy of a database with its log beside it, and leaves both as they are", async () => {
    await leaveLog("old");
    const file = target.database;
    const before = names();
    const other = source.path("restored");
    await restore({ file, dataDir: other });
    expect(readInputs(join(other, "parley.db"))).toEqual(["old", "in the log"]);
    expect(names()).toEqual(before);
  });

  test("of an older Parley is migrated by the first start", async () => {
    const old = source.path("old.db");
    const db = new Sqlite(old);
    migrate(db, old, { now: Date.now, migrations: [initial] });
    db.close();
    expect((await restore({ file: old })).contents.schema).toBe(1);
    await target.openStore()[Symbol.asyncDispose]();
    expect(names()).toContainEqual(expect.stringMatching(/^parley\.db\.v1\.\d+\.backup$/));
  });

  test("into an empty folder leaves the mark by which a loss is noticed", async () => {
    rmSync(target.dataDir, { recursive: true, force: true });
    await restore();
    rmSync(target.database);
    expect(() => target.openStore()).toThrow(/parley\.db is missing, .* restore a backup/);
  });

  test.if(process.getuid?.() === 0)("by root gives the files to the folder's owner", async () => {
    mkdirSync(target.dataDir);
    chownSync(target.dataDir, 1234, 1235);
    await restore();
    const owners = names().map((name) => {
      const { uid, gid } = statSync(join(target.dataDir, name));
      return { name, uid, gid };
    });
    expect(owners).toEqual([
      { name: "parley.db", uid: 1234, gid: 1235 },
      { name: "parley.db.marker", uid: 1234, gid: 1235 },
      { name: "parley.lock", uid: 1234, gid: 1235 },
    ]);
  });
});

describe("is refused, and changes nothing", () => {
  async function expectUnchanged(attempt: () => Promise<unknown>, reason: RegExp): Promise<void> {
    await target.fill("as it was");
    const before = { tables: readTables(target.database), names: names() };
    expect(before.names).toEqual(["parley.db", "parley.db.marker"]);
    await expect(attempt()).rejects.toThrow(reason);
    expect(readTables(target.database)).toEqual(before.tables);
    expect(names().filter((name) => name !== "parley.lock")).toEqual(before.names);
  }

  test("while a server runs on the folder", async () => {
    await using parley = await startParley();
    const dataDir = parley.dataDir;
    await expect(restore({ dataDir })).rejects.toThrow(/a server runs on .*; stop it/);
    expect((await parley.say("where is my order")).response).toBe("It is on its way.");
  });

  test("while a command has the database open", async () => {
    await target.fill("as it was");
    await using store = target.openStore();
    await expect(restore()).rejects.toThrow(/another process has .*parley\.db open/);
    await store.assertWritable();
    expect(readInputs(target.database)).toEqual(["as it was", "hello"]);
  });

  test("of a damaged backup", async () => {
    const large = source.path("large.db");
    source.clear();
    await source.fill(...Array.from({ length: 200 }, (_, n) => `message ${n} ${"x".repeat(500)}`));
    await backupDatabase({ database: source.database, file: large, replace: false, now: Date.now });
    await zeroMiddle(large);
    await expectUnchanged(() => restore({ file: large }), /large\.db is damaged: .*nothing was changed/);
  });

  test("of a backup that was cut", async () => {
    writeFileSync(backup, readFileSync(backup).subarray(0, 20_000));
    await expectUnchanged(() => restore(), /copy\.db is damaged: /);
  });

  test("of a backup by a newer Parley", async () => {
    const db = new Sqlite(backup);
    db.pragma("user_version = 9999");
    db.close();
    await expectUnchanged(() => restore(), /copy\.db was written by a newer Parley \(schema 9999/);
  });

  test("of another program's database, of text, and of nothing", async () => {
    const other = source.path("other.db");
    const db = new Sqlite(other);
    db.exec("CREATE TABLE theirs (x)");
    db.close();
    await expectUnchanged(() => restore({ file: other }), /other\.db is not a Parley database/);
    writeFileSync(other, "some text ".repeat(1000));
    await expect(restore({ file: other })).rejects.toThrow(/other\.db is not a database/);
    writeFileSync(other, "");
    await expect(restore({ file: other })).rejects.toThrow(/other\.db is not a Parley database/);
  });

  test.each([
    ["that is not there", "nowhere.db", /nowhere\.db: there is no such file/],
    ["that is a folder", ".", /this is not a file/],
  ])("of a file %s", async (_, name, reason) => {
    await expectUnchanged(() => restore({ file: source.path(name) }), reason);
  });

  test("of the very database that it would replace", async () => {
    await expectUnchanged(() => restore({ file: target.database }), /the very database/);
  });

  test("of a database that a server is writing to", async () => {
    await using parley = await startParley();
    const file = join(parley.dataDir, "parley.db");
    await expectUnchanged(
      () => restore({ file }),
      /a server is writing to .*; make a copy with `parley backup`/,
    );
  });

  test("when it is stopped", async () => {
    const signal = AbortSignal.abort();
    await expectUnchanged(() => restore({ signal }), /abort/i);
  });
});

describe("a crash in the middle", () => {
  const NEW = ["one", "two", "hello"];

  /** The steps that would put the backup in place. */
  function steps(): (() => void)[] {
    const part = join(target.dataDir, ".parley-1-1.part");
    copyFileSync(backup, part);
    lockAlone(target.database)[Symbol.dispose]();
    return replacementSteps(part, target.database, join(target.dataDir, KEPT));
  }

  async function prepare(damaged: boolean): Promise<(() => void)[]> {
    target[Symbol.dispose]();
    target = new FilledFolder();
    await (damaged ? leaveDamaged() : leaveLog("old"));
    return steps();
  }

  test("leaves the old database, or the new one, whole", async () => {
    const total = (await prepare(false)).length;
    const found: string[][] = [];
    for (let done = 0; done <= total; done++) {
      for (const step of (await prepare(false)).slice(0, done)) step();
      found.push(await openInputs());
    }
    const changeAt = found.findIndex((inputs) => inputs[0] === "one");
    expect(changeAt).toBeGreaterThan(0);
    expect(found.slice(0, changeAt)).toEqual(Array.from({ length: changeAt }, () => ["old", "in the log"]));
    expect(found.slice(changeAt)).toEqual(Array.from({ length: total + 1 - changeAt }, () => NEW));
  });

  test("of a damaged one that has a log: the next start says what to do, and another restore completes it", async () => {
    const total = (await prepare(true)).length;
    const outcomes = new Set<string>();
    for (let done = 0; done <= total; done++) {
      for (const step of (await prepare(true)).slice(0, done)) step();
      const hasLog = readdirSync(target.dataDir).some((name) => name.endsWith("-wal"));
      const outcome = outcomeOfStart();
      outcomes.add(outcome);
      if (outcome === "new") expect(await openInputs()).toEqual(NEW);
      else expect(hasLog).toBe(true);
      await restore({ now: () => AT + 1 });
      expect(await openInputs()).toEqual(NEW);
      expect(existsSync(`${target.database}.restoring`)).toBe(false);
    }
    expect([...outcomes]).toEqual(["damaged as before", "says what to do", "new"]);
  });

  function outcomeOfStart(): string {
    try {
      const store = new SqliteStore({ dataDir: target.dataDir, now: Date.now, busyTimeoutMs: 0 });
      void store[Symbol.asyncDispose]();
      return "new";
    } catch (error) {
      const { message } = error as Error;
      const isExplained =
        /a restore of .* was interrupted; run `parley restore FILE` again/.test(message) &&
        message.includes(KEPT);
      if (isExplained) return "says what to do";
      return /not a Parley database/.test(message) ? "damaged as before" : message;
    }
  }
});

test("a restored database lets nobody in by a link or a session of its time, and keeps operators and keys", async () => {
  const SECRET = new Uint8Array(32).fill(1);
  const LINK = new Uint8Array(32).fill(2);
  const open = (folder: FilledFolder) =>
    new SqliteStore({ dataDir: folder.dataDir, now: () => AT, busyTimeoutMs: 5000 });
  const before = open(source);
  await before.operators.add({ name: "ann", role: "owner" });
  await before.operators.setPassword("ann", "hash", SECRET);
  await before.operators.issueLink("ann", { hash: LINK, expiresAt: AT + 1000 });
  await before.operatorKeys.add({
    id: "ok_1",
    hash: SECRET,
    label: "x",
    permissions: ["read"],
    createdBy: "ann",
  });
  await before[Symbol.asyncDispose]();
  await backupDatabase({ database: source.database, file: backup, replace: true, now: Date.now });
  await restore();
  const after = open(target);
  expect((await after.operators.find("ann"))?.passwordHash).toBe("hash");
  expect(await after.operatorKeys.find(SECRET)).toBeDefined();
  expect(await after.operatorSessions.find(SECRET)).toBeUndefined();
  expect(await after.operators.findByLink(LINK)).toBeUndefined();
  await after[Symbol.asyncDispose]();
});
