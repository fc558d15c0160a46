import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { ConversationId, RequestId } from "../../../../src/domain/ids.ts";
import type { BotKey } from "../../../../src/store/interface/bots.ts";
import type { StorageFailure } from "../../../../src/store/interface/health.ts";
import { Sqlite } from "../../../../src/store/sqlite/driver.ts";
import { SqliteStore } from "../../../../src/store/sqlite/sqlite-store.ts";
import { shopBot } from "../../../support/bots.ts";
import { turnWith } from "../../../support/turns.ts";

let folder: string;
let file: string;
let store: SqliteStore;
let bot: BotKey;
let failures: StorageFailure[];
let messages: number;

const open = (onFailure?: (failure: StorageFailure) => void) =>
  new SqliteStore({ dataDir: folder, now: Date.now, busyTimeoutMs: 0, ...(onFailure && { onFailure }) });

beforeEach(async () => {
  folder = join(mkdtempSync(join(tmpdir(), "parley-test-")), "data");
  file = join(folder, "parley.db");
  failures = [];
  messages = 0;
  store = open((failure) => failures.push(failure));
  await store.bots.seed([shopBot()], { prune: false, dryRun: false });
  bot = (await store.bots.find("shop"))!.key;
  const other = new Sqlite(file);
  other.pragma("wal_checkpoint(PASSIVE)");
  other.close();
});
afterEach(() => store[Symbol.asyncDispose]());

function say(): Promise<unknown> {
  messages += 1;
  const turn = turnWith({
    requestId: `rq_${messages}` as RequestId,
    at: Date.now(),
    state: "complete",
    response: "Hi.",
  });
  return store.recordTurn({ bot, conversationId: "cv_1" as ConversationId, turn });
}

/** How many of the messages are in the file, for whoever opens it next. */
function stored(path = file): unknown {
  const db = new Sqlite(path);
  const count = db.prepare("SELECT count(*) FROM turns").pluck().get();
  db.close();
  return count;
}

const CHANGES: [name: string, change: () => void, message: RegExp][] = [
  [
    "its folder is moved",
    () => renameSync(folder, `${folder}-moved`),
    /parley\.db is gone: .*put the file back/,
  ],
  ["the file is deleted", () => rmSync(file), /parley\.db is gone: it was deleted/],
  ["the file is replaced by a copy", replaceByCopy, /another file has taken the place of .*parley\.db while/],
  ["the file is cut to nothing", () => truncateSync(file, 0), /parley\.db was cut short.*restore the latest/],
  ["the file is cut in the middle", () => truncateSync(file, 8192), /parley\.db was cut short/],
  ["the log is deleted", () => rmSync(`${file}-wal`), /parley\.db-wal was deleted/],
  ["the log is replaced", () => replaceBy(`${file}-wal`, "other"), /taken the place of .*parley\.db-wal/],
  ["the log is cut to nothing", () => truncateSync(`${file}-wal`, 0), /parley\.db-wal was cut short/],
  ["the log's index is deleted", () => rmSync(`${file}-shm`), /parley\.db-shm was deleted/],
  ["the log's index is replaced", () => replaceBy(`${file}-shm`, ""), /taken the place of .*parley\.db-shm/],
];

function replaceByCopy(): void {
  copyFileSync(file, `${file}.copy`);
  renameSync(`${file}.copy`, file);
}

function replaceBy(path: string, content: string): void {
  rmSync(path);
  writeFileSync(path, content);
}

describe("a database that changes under a running server ends acknowledgements", () => {
  for (const [name, change, message] of CHANGES) {
    test(`where ${name}: the next message is refused`, async () => {
      await say();
      change();
      await expect(say()).rejects.toMatchObject({ errorCode: "STORAGE_UNAVAILABLE" });
      expect(failures).toHaveLength(1);
      expect(failures[0]!.kind).toBe("moved");
      expect(failures[0]!.message).toMatch(message);
      expect(failures[0]!.message).toMatch(/Nothing is acknowledged any more\. .*Stop this server/);
    });

    test(`where ${name}: found without a message, too`, async () => {
      await say();
      store.health.checkFiles();
      change();
      store.health.checkFiles();
      store.health.checkFiles();
      expect(failures.map(({ kind }) => kind)).toEqual(["moved"]);
    });
  }

  test("in the moment between a group's commit and its acknowledgement", async () => {
    const hasty = new SqliteStore({
      dataDir: folder,
      now: Date.now,
      busyTimeoutMs: 0,
      onCommit: () => renameSync(folder, `${folder}-moved`),
    });
    const turn = turnWith({
      requestId: "rq_1" as RequestId,
      at: Date.now(),
      state: "complete",
      response: "Hi.",
    });
    const said = hasty.recordTurn({ bot, conversationId: "cv_1" as ConversationId, turn });
    await expect(said).rejects.toMatchObject({ errorCode: "STORAGE_UNAVAILABLE" });
    await hasty[Symbol.asyncDispose]();
  });

  test("for good: to put the file back is not enough", async () => {
    renameSync(folder, `${folder}-moved`);
    await expect(say()).rejects.toThrow();
    renameSync(`${folder}-moved`, folder);
    await expect(say()).rejects.toMatchObject({ errorCode: "STORAGE_UNAVAILABLE" });
    await expect(store.bots.setEnabled("shop", false)).rejects.toMatchObject({
      errorCode: "STORAGE_UNAVAILABLE",
    });
    // Nor does what goes past the queue write.
    await expect(store.erasure.wipeFiles()).rejects.toThrow(/readonly/);
    await expect(store.findConversation("cv_1", bot, 0)).rejects.toMatchObject({
      errorCode: "STORAGE_UNAVAILABLE",
    });
    expect(failures).toHaveLength(1);
  });
});

describe("what was acknowledged before", () => {
  test("outlives the deletion of the log that held it", async () => {
    await say();
    await say();
    rmSync(`${file}-wal`);
    await expect(say()).rejects.toThrow();
    expect(failures[0]!.message).toContain("What was acknowledged before is in the file that was open.");
    await store[Symbol.asyncDispose]();
    expect(stored()).toBe(2);
  });

  test("goes with the folder that was moved", async () => {
    await say();
    renameSync(folder, `${folder}-moved`);
    store.health.checkFiles();
    await store[Symbol.asyncDispose]();
    expect(stored(join(`${folder}-moved`, "parley.db"))).toBe(1);
  });

  test("is not mixed into another database that takes the place", async () => {
    const other = join(folder, "other.db");
    await store.bots.seed([shopBot({ id: "other" })], { prune: true, dryRun: false });
    new Sqlite(file).prepare("VACUUM INTO ?").run(other);
    await store.bots.seed([shopBot()], { prune: false, dryRun: false });
    bot = (await store.bots.find("shop"))!.key;
    await say();
    renameSync(file, `${file}.old`);
    renameSync(other, file);
    store.health.checkFiles();
    await store[Symbol.asyncDispose]();
    const next = open();
    expect((await next.bots.list()).map(({ id }) => id as string)).toEqual(["other"]);
    await next[Symbol.asyncDispose]();
    expect(stored(`${file}.old`)).toBe(1);
  });

  test("goes with a folder that is moved while the server stops", async () => {
    await say();
    renameSync(folder, `${folder}-moved`);
    mkdirSync(folder);
    writeFileSync(`${file}-wal`, "somebody else's");
    await store[Symbol.asyncDispose]();
    expect(existsSync(`${file}-wal`)).toBe(true);
    expect(stored(join(`${folder}-moved`, "parley.db"))).toBe(1);
  });

  test("stays, and so does a new owner's log, when the failed server ends", async () => {
    await say();
    renameSync(folder, `${folder}-moved`);
    store.health.checkFiles();
    mkdirSync(folder);
    writeFileSync(`${file}-wal`, "somebody else's");
    await store[Symbol.asyncDispose]();
    expect(existsSync(`${file}-wal`)).toBe(true);
  });
});

test("a path that cannot be looked at fails messages, and heals", async () => {
  await say();
  renameSync(folder, `${folder}-aside`);
  symlinkSync(folder, folder);
  await expect(say()).rejects.toMatchObject({ errorCode: "STORAGE_UNAVAILABLE" });
  store.health.checkFiles();
  rmSync(folder);
  renameSync(`${folder}-aside`, folder);
  await say();
  expect([failures.length, stored()]).toEqual([0, 2]);
});

describe("what other processes do by right is no change", () => {
  test("a command that comes and goes, and empties the log", async () => {
    await say();
    for (let i = 0; i < 3; i += 1) {
      const command = open();
      await command.bots.setEnabled("shop", i % 2 === 0);
      await command[Symbol.asyncDispose]();
      store.health.checkFiles();
      await say();
    }
    expect(failures).toEqual([]);
  });

  test("a vacuum that makes the file smaller", async () => {
    for (let i = 0; i < 100; i += 1) await say();
    const tool = new Sqlite(file);
    tool.pragma("wal_checkpoint(TRUNCATE)");
    store.health.checkFiles();
    tool.exec("DELETE FROM turns; VACUUM");
    tool.pragma("wal_checkpoint(TRUNCATE)");
    store.health.checkFiles();
    await say();
    tool.close();
    expect(failures).toEqual([]);
  });
});
