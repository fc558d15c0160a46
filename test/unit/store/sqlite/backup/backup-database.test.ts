import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";

import { loadConfig } from "../../../../../src/config/config.ts";
import { startServer } from "../../../../../src/http/server.ts";
import {
  type BackupOptions,
  backupDatabase,
} from "../../../../../src/store/sqlite/backup/backup-database.ts";
import { assertRoom } from "../../../../../src/store/sqlite/backup/durable-files.ts";
import { PartFile } from "../../../../../src/store/sqlite/backup/part-file.ts";
import { Sqlite } from "../../../../../src/store/sqlite/driver.ts";
import { LATEST_SCHEMA, migrate } from "../../../../../src/store/sqlite/migrate.ts";
import initial from "../../../../../src/store/sqlite/migrations/0001-initial.sql" with { type: "text" };
import {
  FILLED_TABLES,
  FilledFolder,
  fillStore,
  readTables,
  zeroMiddle,
} from "../../../../support/databases.ts";

let folder: FilledFolder;
beforeEach(() => void (folder = new FilledFolder()));
afterEach(() => folder[Symbol.dispose]());

function backUp(options: Partial<BackupOptions> = {}) {
  const file = folder.path("backups/copy.db");
  return backupDatabase({ database: folder.database, file, replace: false, now: Date.now, ...options });
}

const backups = () => readdirSync(folder.path("backups"));

/** Fills the database with so many rows of 4 KB. */
function swell(rows: number): void {
  const db = new Sqlite(folder.database);
  const insert = db.prepare(
    "INSERT INTO embeddings (model, text_hash, vector) VALUES ('swell', ?, zeroblob(4000))",
  );
  db.transaction(() => {
    for (let row = 0; row < rows; row++) insert.run(Buffer.from(String(row)));
  })();
  db.close();
}

describe("a backup", () => {
  test("holds every row of every table, and counts what is in it", async () => {
    await folder.fill("one", "two");
    const { bytes, contents } = await backUp();
    const copied = readTables(folder.path("backups/copy.db"));
    expect(FILLED_TABLES.filter((table) => !copied.get(table)?.length)).toEqual([]);
    expect(copied).toEqual(readTables(folder.database));
    expect(contents).toEqual({ schema: LATEST_SCHEMA, bots: 1, embedTokens: 1, conversations: 1, turns: 3 });
    expect(bytes).toBe(statSync(folder.path("backups/copy.db")).size);
  });

  test("is one file for its owner alone, with nothing beside it", async () => {
    await folder.fill("one");
    await backUp();
    expect(backups()).toEqual(["copy.db"]);
    expect(statSync(folder.path("backups/copy.db")).mode & 0o777).toBe(0o600);
  });

  test("has what a running server has not written into the database file yet", async () => {
    await using store = folder.openStore();
    await fillStore(store, ["in the log"]);
    await backUp();
    expect(readTables(folder.path("backups/copy.db"))).toEqual(readTables(folder.database));
  });

  test("ends while another process writes without a pause, and locks none of its writes out", async () => {
    await folder.fill("before");
    swell(8000);
    const writer = Bun.spawn(
      [process.execPath, join(import.meta.dir, "../../../../support/constant-writer.ts"), folder.database],
      { stdin: "pipe", stdout: "pipe" },
    );
    const output = writer.stdout.getReader();
    await output.read();
    const steps: number[] = [];
    await backUp({ onCopy: (stage, share) => void (stage === "copying" && steps.push(share)) });
    await writer.stdin.write("stop");
    await writer.stdin.end();
    const counts = JSON.parse(new TextDecoder().decode((await output.read()).value)) as Counts;
    await writer.exited;
    expect(counts.locked).toBe(0);
    expect(counts.written).toBeGreaterThan(100);
    expect(steps.length).toBeGreaterThan(5);
    expect(steps).toEqual(steps.toSorted((a, b) => a - b));
    const copied = readTables(folder.path("backups/copy.db"));
    expect(copied.get("embeddings")!.length).toBeGreaterThan(8000);
    expect(copied.get("turns")).toEqual(readTables(folder.database).get("turns"));
  }, 120_000);

  test("of an older Parley keeps its schema", async () => {
    mkdirSync(folder.dataDir);
    const db = new Sqlite(folder.database);
    migrate(db, folder.database, { now: Date.now, migrations: [initial] });
    db.close();
    const { contents } = await backUp();
    expect(contents.schema).toBe(1);
    expect(readTables(folder.path("backups/copy.db"))).toEqual(readTables(folder.database));
    expect(readTables(folder.database).has("sentence_models")).toBe(false);
  });

  test("replaces a file only when asked to", async () => {
    await folder.fill("one");
    mkdirSync(folder.path("backups"));
    writeFileSync(folder.path("backups/copy.db"), "another file");
    await expect(backUp()).rejects.toThrow(/copy\.db exists; .*--force/);
    expect(await Bun.file(folder.path("backups/copy.db")).text()).toBe("another file");
    await backUp({ replace: true });
    expect(readTables(folder.path("backups/copy.db"))).toEqual(readTables(folder.database));
  });

  test.each(["", "-wal", "-shm", "-journal", ".marker"])(
    "never replaces the data folder's own parley.db%s, which a server may have open",
    async (suffix) => {
      await using store = folder.openStore();
      await fillStore(store, ["one"]);
      const file = folder.database + suffix;
      await expect(backUp({ file, replace: true })).rejects.toThrow(/is a file of the data folder itself/);
      store.health.checkFiles();
      expect(store.health.failure).toBeUndefined();
    },
  );

  test("nor its lock, nor the database by another name or another way to it", async () => {
    await folder.fill("one");
    symlinkSync(folder.dataDir, folder.path("link"));
    linkSync(folder.database, folder.path("hard.db"));
    for (const name of ["data/parley.lock", "link/parley.db", "link/parley.db-wal", "hard.db"]) {
      await expect(backUp({ file: folder.path(name), replace: true })).rejects.toThrow(/data folder itself/);
    }
  });

  test("is not put in the place of a folder", async () => {
    await folder.fill("one");
    const file = folder.path("data");
    await expect(backUp({ file, replace: true })).rejects.toThrow(/data is a folder; name a file in it/);
  });

  test("removes what killed backups left behind, and nothing else", async () => {
    await folder.fill("one");
    mkdirSync(folder.path("backups"));
    const names = [".parley-1-1.part", ".parley-1-1.part-journal", ".parley-2-2.part", ".parley", "old.part"];
    for (const name of names) writeFileSync(folder.path(`backups/${name}`), "");
    const hoursAgo = new Date(Date.now() - 2 * 60 * 60 * 1000);
    for (const name of names.filter((other) => other !== ".parley-2-2.part")) {
      utimesSync(folder.path(`backups/${name}`), hoursAgo, hoursAgo);
    }
    await backUp();
    expect(backups().toSorted()).toEqual([".parley", ".parley-2-2.part", "copy.db", "old.part"]);
  });
});

/** A process that is killed while it holds an unfinished copy. */
function leavePartIn(target: string): void {
  const module = JSON.stringify(join(import.meta.dir, "../../../../../src/store/sqlite/backup/part-file.ts"));
  const code = `import { PartFile } from ${module}; new PartFile(process.argv.at(-1), Date.now()); process.kill(process.pid, "SIGKILL")`;
  Bun.spawnSync([process.execPath, "--eval", code, "--", target]);
}

const partsIn = (target: string) => readdirSync(target).filter((name) => name.endsWith(".part"));

describe("the unfinished copy of a process that was killed", () => {
  test("goes with the next backup, and that of a process that runs stays", async () => {
    await folder.fill("one");
    mkdirSync(folder.path("backups"));
    leavePartIn(folder.path("backups"));
    using running = new PartFile(folder.path("backups"), Date.now() - 1);
    expect(partsIn(folder.path("backups"))).toHaveLength(2);
    await backUp();
    expect(partsIn(folder.path("backups"))).toEqual([basename(running.path)]);
  });

  test("stays for an hour where another machine or container made it", async () => {
    await folder.fill("one");
    mkdirSync(folder.path("backups"));
    const name = ".parley-1-999999-0123456789ab.part";
    writeFileSync(folder.path(`backups/${name}`), "");
    await backUp();
    expect(partsIn(folder.path("backups"))).toEqual([name]);
  });

  test("goes from the data folder and its backups when a server starts", async () => {
    await folder.fill("one");
    const places = [folder.dataDir, join(folder.dataDir, "backups")];
    mkdirSync(places[1]!);
    for (const place of places) leavePartIn(place);
    expect(places.flatMap(partsIn)).toHaveLength(2);
    const flags = { data: folder.dataDir, port: "0", operatorPort: "0", logLevel: "silent" };
    const server = await startServer(loadConfig({ flags, env: {}, readFile: () => "" }));
    await server.close();
    expect(places.flatMap(partsIn)).toEqual([]);
  });
});

interface Counts {
  written: number;
  locked: number;
}

describe("no backup is made, and nothing is left", () => {
  test("of a damaged database", async () => {
    await folder.fill(...Array.from({ length: 200 }, (_, n) => `message ${n} ${"x".repeat(500)}`));
    await zeroMiddle(folder.database);
    await expect(backUp()).rejects.toThrow(/no backup was made: .*parley\.db is damaged: /);
    expect(backups()).toEqual([]);
  });

  test("of a database that was lost, whose folder still says so", async () => {
    await folder.fill("one");
    rmSync(folder.database);
    await expect(backUp()).rejects.toThrow(/parley\.db is missing, .* restore a backup/);
    expect(existsSync(folder.database)).toBe(false);
  });

  test("of a database whose bots cannot be read", async () => {
    await folder.fill("one");
    const db = new Sqlite(folder.database);
    db.exec("UPDATE bot_versions SET document = '{'");
    db.close();
    await expect(backUp()).rejects.toThrow(/parley\.db cannot be opened: .*bot_versions\.document/);
    expect(backups()).toEqual([]);
  });

  test.each([
    ["of another program", "PRAGMA application_id = 7", /is not a Parley database/],
    ["of a newer Parley", "PRAGMA user_version = 9999", /newer Parley \(schema 9999.*newer executable/],
  ])("of a database %s", async (_, sql, reason) => {
    await folder.fill("one");
    const db = new Sqlite(folder.database);
    db.exec(sql);
    db.close();
    await expect(backUp()).rejects.toThrow(reason);
    expect(backups()).toEqual([]);
  });

  test("when it is stopped", async () => {
    await folder.fill("one");
    swell(3000);
    const stopping = new AbortController();
    await expect(backUp({ signal: stopping.signal, onCopy: () => stopping.abort() })).rejects.toThrow();
    expect(backups()).toEqual([]);
  });

  test("when its folder cannot be one", async () => {
    await folder.fill("one");
    writeFileSync(folder.path("backups"), "");
    await expect(backUp()).rejects.toThrow(/cannot write to .*backups/);
  });

  test("when it would fill the disk", () => {
    expect(() => assertRoom(folder.root, 1e18)).toThrow(
      /not enough room in .*: the copy takes 1000000\.0 TB/,
    );
    expect(() => assertRoom(folder.root, 1)).not.toThrow();
  });
});
