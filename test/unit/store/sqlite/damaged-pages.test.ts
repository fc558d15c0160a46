import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { Sqlite } from "../../../../src/store/sqlite/driver.ts";
import { SqliteStore } from "../../../../src/store/sqlite/sqlite-store.ts";
import { shopBot } from "../../../support/bots.ts";

describe("a database whose pages are zeroed while it is open", () => {
  let dataDir: string;
  beforeEach(() => void (dataDir = mkdtempSync(join(tmpdir(), "parley-test-"))));
  afterEach(() => rmSync(dataDir, { recursive: true }));

  function zero(table: string): void {
    const file = join(dataDir, "parley.db");
    const db = new Sqlite(file);
    db.pragma("wal_checkpoint(TRUNCATE)");
    const roots = db.prepare<[string], number>(
      "SELECT rootpage FROM sqlite_schema WHERE tbl_name = ? AND rootpage > 0",
    );
    const pages = roots.pluck().all(table);
    const bytes = Number(db.pragma("page_size", { simple: true }));
    db.close();
    const descriptor = openSync(file, "r+");
    for (const page of pages) writeSync(descriptor, new Uint8Array(bytes), 0, bytes, (page - 1) * bytes);
    closeSync(descriptor);
  }

  const READS: [string, string, (store: SqliteStore) => Promise<unknown>][] = [
    ["bots", "bot_rows", ({ bots }) => bots.list()],
    ["operators", "operators", ({ operators }) => operators.list()],
    ["changes", "changes", ({ changes }) => changes.list({ limit: 1 })],
    ["what was said", "turns", ({ conversationSearch }) => Array.fromAsync(conversationSearch.find({}))],
    ["the clock", "clock", (store) => store.readHeartbeat()],
  ];
  test.each(READS)("is known to health as damaged by a read of %s", async (_name, table, read) => {
    const first = new SqliteStore({ dataDir, now: Date.now, busyTimeoutMs: 0 });
    await first.bots.seed([shopBot()], { prune: false, dryRun: false });
    await first.beatClock(1);
    await first[Symbol.asyncDispose]();
    zero(table);
    const store = new SqliteStore({ dataDir, now: Date.now, busyTimeoutMs: 0 });
    await using _ = store;
    await expect(read(store)).rejects.toThrow();
    expect(store.health.failure?.kind).toBe("damaged");
  });
});
