import { expect, test } from "bun:test";

import { sql } from "../../../../src/store/sql/sql.ts";
import { all, first, run, type Work } from "../../../../src/store/sql/work.ts";
import { CommitQueue } from "../../../../src/store/sqlite/commit-queue.ts";
import { Sqlite } from "../../../../src/store/sqlite/driver.ts";
import { SqliteEngine } from "../../../../src/store/sqlite/sqlite-engine.ts";

function openEngine(isServer: boolean) {
  const db = new Sqlite(":memory:");
  db.exec("CREATE TABLE notes (key INTEGER PRIMARY KEY, is_read INTEGER NOT NULL, text TEXT) STRICT");
  const queue = isServer ? new CommitQueue(db) : undefined;
  return new SqliteEngine({ db, queue, guarded: (call) => call() });
}

function* writeTwo(fails: boolean): Work<number> {
  yield* run(sql`INSERT INTO notes (is_read, text) VALUES (${false}, ${undefined})`);
  if (fails) throw new Error("half way");
  const row = yield* first<{ key: number }>(
    sql`INSERT INTO notes (is_read, text) VALUES (${true}, ${"b"}) RETURNING key`,
  );
  return row!.key;
}

test.each([
  ["a server", true],
  ["a command", false],
])("all of a work of %s is stored, or nothing", async (_, isServer) => {
  const engine = openEngine(isServer);
  const list = () => engine.read(() => all(sql`SELECT * FROM notes ORDER BY key`));
  await expect(engine.write(() => writeTwo(true))).rejects.toThrow("half way");
  expect(await list()).toEqual([]);
  expect(await engine.write(() => writeTwo(false))).toBe(2);
  expect(await list()).toEqual([
    { key: 1, is_read: 0, text: null },
    { key: 2, is_read: 1, text: "b" },
  ]);
});

test("of works that a server does at once, one that fails takes no other with it", async () => {
  const engine = openEngine(true);
  const outcomes = await Promise.allSettled(
    [false, true, false].map((fails) => engine.write(() => writeTwo(fails))),
  );
  expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  const counted = await engine.read(() => first<{ notes: number }>(sql`SELECT count(*) AS notes FROM notes`));
  expect(counted).toEqual({ notes: 4 });
});
