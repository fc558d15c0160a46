import { describe, expect, test } from "bun:test";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { ServiceError } from "../../../src/domain/errors.ts";
import { CommitQueue } from "../../../src/store/commit-queue.ts";
import { openDatabase } from "../../../src/store/database.ts";
import { Sqlite } from "../../../src/store/driver.ts";

function openNumbers() {
  const file = join(mkdtempSync(join(tmpdir(), "parley-test-")), "parley.db");
  const db = openDatabase(file, 0);
  db.exec("CREATE TABLE numbers (n INTEGER PRIMARY KEY)");
  const insert = db.prepare("INSERT INTO numbers VALUES (?)");
  return { db, file, insert, count: () => db.prepare("SELECT count(*) FROM numbers").pluck().get() };
}

describe("group commit", () => {
  test("writes what arrives together in one transaction", async () => {
    const { db, insert, count } = openNumbers();
    const groups: number[] = [];
    const queue = new CommitQueue(db, { onCommit: ({ groupSize }) => groups.push(groupSize) });
    await Promise.all(Array.from({ length: 50 }, (_, n) => queue.run(() => insert.run(n))));
    expect(groups).toEqual([50]);
    expect(count()).toBe(50);
  });

  test("returns each work's own result", async () => {
    const { db } = openNumbers();
    const queue = new CommitQueue(db);
    expect(await Promise.all([queue.run(() => "a"), queue.run(() => 2)])).toEqual(["a", 2]);
  });

  test("resolves only after the write can be seen by another connection", async () => {
    const { db, file, insert } = openNumbers();
    await new CommitQueue(db).run(() => insert.run(7));
    const other = new Sqlite(file, { readonly: true });
    expect(other.prepare("SELECT n FROM numbers").pluck().all()).toEqual([7]);
  });

  test("fails only the work that failed; the rest of its group is stored", async () => {
    const { db, insert, count } = openNumbers();
    const queue = new CommitQueue(db);
    const outcomes = await Promise.allSettled([1, 1, 2].map((n) => queue.run(() => insert.run(n))));
    expect(outcomes.map((outcome) => outcome.status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(count()).toBe(2);
  });

  test("waits for another process's write without blocking the loop", async () => {
    const { db, file, insert, count } = openNumbers();
    const writer = new Sqlite(file);
    writer.exec("BEGIN IMMEDIATE");
    let ticks = 0;
    const timer = setInterval(() => (ticks += 1), 5);
    const queued = new CommitQueue(db).run(() => insert.run(1));
    await Bun.sleep(60);
    writer.exec("COMMIT");
    await queued;
    clearInterval(timer);
    expect(count()).toBe(1);
    expect(ticks).toBeGreaterThan(3);
  });

  test("gives up with STORAGE_UNAVAILABLE when the lock is held too long", async () => {
    const { db, file, insert } = openNumbers();
    const writer = new Sqlite(file);
    writer.exec("BEGIN IMMEDIATE");
    const failure = await new CommitQueue(db, { busyDeadlineMs: 30 })
      .run(() => insert.run(1))
      .catch((error) => error);
    writer.exec("COMMIT");
    expect(failure).toBeInstanceOf(ServiceError);
    expect(failure.errorCode).toBe("STORAGE_UNAVAILABLE");
    expect(failure.options.headers).toEqual({ "Retry-After": "5" });
  });

  test("gives up on a whole group at once: the lock was not waited for once per message", async () => {
    const { db, file } = openNumbers();
    const writer = new Sqlite(file);
    writer.exec("BEGIN IMMEDIATE");
    const queue = new CommitQueue(db, { busyDeadlineMs: 20 });
    const order: string[] = [];
    const messages = ["a", "b", "c"].map((name) =>
      queue
        .run(() => name)
        .catch(() => {
          if (order.push(name) === 1) writer.exec("COMMIT");
        }),
    );
    await Promise.all(messages);
    expect(order).toEqual(["a", "b", "c"]);
  });

  test("leaves a broken statement a defect", async () => {
    const { db } = openNumbers();
    const failure = await new CommitQueue(db).run(() => db.exec("SELECT nonsense")).catch((error) => error);
    expect(failure).not.toBeInstanceOf(ServiceError);
  });
});
