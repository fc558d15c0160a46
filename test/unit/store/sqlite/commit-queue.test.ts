import { describe, expect, test } from "bun:test";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { ServiceError } from "../../../../src/domain/errors.ts";
import type { StorageFailure } from "../../../../src/store/interface/health.ts";
import { type CommitGuard, CommitQueue } from "../../../../src/store/sqlite/commit-queue.ts";
import { openDatabase } from "../../../../src/store/sqlite/database.ts";
import { Sqlite } from "../../../../src/store/sqlite/driver.ts";
import { StorageHealth } from "../../../../src/store/sqlite/health.ts";
import { eventually } from "../../../support/eventually.ts";

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
    // A loop that were blocked by the waiting would not tick before it is over.
    await eventually(() => ticks > 3);
    expect(count()).toBe(0);
    writer.exec("COMMIT");
    await queued;
    clearInterval(timer);
    expect(count()).toBe(1);
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

describe("a queue whose guard or observer throws", () => {
  const defect = new Error("a defect of the guard");
  const throwDefect = () => {
    throw defect;
  };
  const calm = {
    checkBeforeCommit() {},
    checkAfterCommit() {},
    noticeFailureOfWrite() {},
    noticeOutcome() {},
  };
  const isolated = (guard: Partial<CommitGuard>) => ({ guard: { ...calm, ...guard } });

  for (const [name, guard] of [
    ["before a group", { checkBeforeCommit: throwDefect }],
    ["after a group", { checkAfterCommit: throwDefect }],
    ["when it is told of a failure", { noticeFailureOfWrite: throwDefect }],
  ] as const) {
    test(`rejects its group ${name}, and goes on with the next`, async () => {
      const { db, insert, count } = openNumbers();
      const options = isolated(guard);
      const queue = new CommitQueue(db, options);
      const failing = () => {
        insert.run(1);
        return name === "when it is told of a failure" ? throwDefect() : undefined;
      };
      const group = await Promise.allSettled([queue.run(failing), queue.run(() => undefined)]);
      expect(group).toMatchObject([
        { status: "rejected", reason: defect },
        { status: "rejected", reason: defect },
      ]);
      const before = Number(count());
      Object.assign(options.guard, calm);
      await queue.run(() => insert.run(2));
      await queue.idle();
      expect(count()).toBe(before + 1);
    });
  }

  test("writes a group once, whatever is made of its time", async () => {
    const { db, count } = openNumbers();
    const queue = new CommitQueue(db, { onCommit: throwDefect });
    const add = () => db.exec("INSERT INTO numbers SELECT coalesce(max(n), 0) + 1 FROM numbers");
    await Promise.allSettled([queue.run(add), queue.run(add)]);
    expect(count()).toBe(2);
  });

  test("is told of a failure by health before anything else can fail", async () => {
    const told: string[] = [];
    const { db } = openNumbers();
    db.close();
    const health = new StorageHealth({ db, files: undefined, onFailure: ({ kind }) => told.push(kind) });
    expect(() => health.failAsDamaged("a page is gone")).toThrow();
    expect([told, health.failure?.kind]).toEqual([["damaged"], "damaged"]);
  });
});

describe("a failed fsync ends acknowledgements", () => {
  const failure = new Sqlite.SqliteError("disk I/O error", "SQLITE_IOERR_FSYNC");

  test("no retry is believed, neither of its group nor of what comes later", async () => {
    const { db, insert, count } = openNumbers();
    const health = new StorageHealth({ db, files: undefined });
    const queue = new CommitQueue(db, { guard: health });
    const runs: number[] = [];
    const failing = () => {
      runs.push(1);
      throw failure;
    };
    const group = [queue.run(() => insert.run(1)), queue.run(failing), queue.run(() => insert.run(2))];
    for (const outcome of await Promise.allSettled(group)) expect(outcome.status).toBe("rejected");
    await expect(queue.run(() => insert.run(3))).rejects.toMatchObject({ errorCode: "STORAGE_UNAVAILABLE" });
    expect([runs.length, count()]).toEqual([1, 0]);
    expect(health.failure?.kind).toBe("unreliable");
  });

  test("and is told once", async () => {
    const { db } = openNumbers();
    const told: StorageFailure[] = [];
    const health = new StorageHealth({ db, files: undefined, onFailure: (reason) => told.push(reason) });
    for (const code of ["SQLITE_IOERR_FSYNC", "SQLITE_IOERR_WRITE", "SQLITE_CORRUPT"]) {
      health.noticeFailureOfWrite(new Sqlite.SqliteError("broken", code));
    }
    expect(told.map(({ message }) => message)).toEqual([expect.stringContaining("SQLITE_IOERR_FSYNC")]);
  });

  test("but a full disk heals", async () => {
    const { db, insert, count } = openNumbers();
    const health = new StorageHealth({ db, files: undefined });
    const queue = new CommitQueue(db, { guard: health });
    const pages = Number(db.pragma("page_count", { simple: true }));
    db.exec("CREATE TABLE large (padding BLOB)");
    const fill = () => queue.run(() => db.exec("INSERT INTO large VALUES (zeroblob(1000000))"));
    db.pragma(`max_page_count = ${pages + 5}`);
    await expect(fill()).rejects.toMatchObject({ errorCode: "STORAGE_UNAVAILABLE" });
    expect(() => health.assertWriting()).toThrow("could not be stored");
    db.pragma("max_page_count = 100000");
    await fill();
    await queue.run(() => insert.run(1));
    expect([count(), health.failure]).toEqual([1, undefined]);
    health.assertWriting();
  });

  for (const code of [
    "SQLITE_IOERR_SHMSIZE",
    "SQLITE_IOERR_LOCK",
    "SQLITE_FULL",
    "SQLITE_BUSY",
    "SQLITE_CONSTRAINT",
  ]) {
    test(`${code} says nothing of what was written`, () => {
      const health = new StorageHealth({ db: openNumbers().db, files: undefined });
      health.noticeFailureOfWrite(new Sqlite.SqliteError("not now", code));
      expect(health.failure).toBeUndefined();
    });
  }
});
