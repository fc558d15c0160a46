import { describe, expect, test } from "bun:test";
import { closeSync, mkdtempSync, openSync, writeFileSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { openDatabase } from "../../../../src/store/sqlite/database.ts";
import { type CheckOutcome, quickCheck, startQuickCheck } from "../../../../src/store/sqlite/quick-check.ts";
import { SqliteStore } from "../../../../src/store/sqlite/sqlite-store.ts";
import { watchStorage } from "../../../../src/store/sqlite/watch-storage.ts";

const newFile = () => join(mkdtempSync(join(tmpdir(), "parley-test-")), "parley.db");

function soundFile(): string {
  const file = newFile();
  openDatabase(file, 0).close();
  return file;
}

function fileWithZeros(): { file: string; page: number } {
  const file = newFile();
  const db = openDatabase(file, 0);
  const page = Number(
    db.prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'embeddings'").pluck().get(),
  );
  const bytes = Number(db.pragma("page_size", { simple: true }));
  db.close();
  const descriptor = openSync(file, "r+");
  writeSync(descriptor, new Uint8Array(bytes), 0, bytes, (page - 1) * bytes);
  closeSync(descriptor);
  return { file, page };
}

describe("a check of every page", () => {
  test("finds a sound database sound", () => {
    expect(quickCheck(soundFile())).toEqual({ kind: "sound" });
  });

  test("finds pages of zeros", () => {
    const { file, page } = fileWithZeros();
    expect(quickCheck(file)).toEqual({ kind: "damaged", finding: expect.stringContaining(`page ${page}`) });
  });

  test("finds what is no database any more", () => {
    const file = newFile();
    writeFileSync(file, "garbage ".repeat(2000));
    expect(quickCheck(file)).toEqual({ kind: "damaged", finding: expect.stringContaining("SQLITE_NOTADB") });
  });

  test("knows nothing of a file that is not there", () => {
    expect(quickCheck(newFile()).kind).toBe("unknown");
  });

  test("runs in a process of its own", async () => {
    expect(await startQuickCheck(fileWithZeros().file).outcome).toMatchObject({ kind: "damaged" });
  }, 120_000);

  test("that is stopped has found nothing out", async () => {
    const check = startQuickCheck(soundFile());
    check.stop();
    expect((await check.outcome).kind).toBe("unknown");
  });
});

describe("the watch", () => {
  /** Checks once, with an outcome that is given, and says what came of it. */
  async function watchWith(outcome: CheckOutcome) {
    const told: string[] = [];
    const store = new SqliteStore({
      dataDir: mkdtempSync(join(tmpdir(), "parley-test-")),
      now: Date.now,
      busyTimeoutMs: 0,
      onFailure: ({ kind, message }) => told.push(`${kind}: ${message}`),
    });
    const checked = Promise.withResolvers<void>();
    const stop = watchStorage({
      store,
      firstCheckAfterMs: 0,
      log: {
        info: (message: unknown) => told.push(String(message)),
        warn: (_fields: unknown, message?: string) => told.push(String(message)),
        error: (_fields: unknown, message?: string) => told.push(String(message)),
      },
      onSound: () => told.push("sound"),
      startCheck() {
        setTimeout(checked.resolve, 20);
        return { outcome: Promise.resolve(outcome), stop() {} };
      },
    });
    await checked.promise;
    stop();
    await store[Symbol.asyncDispose]();
    return told;
  }

  test("goes on where the files cannot be looked at, and says so once", async () => {
    const told: string[] = [];
    let looks = 0;
    const enough = Promise.withResolvers<void>();
    const stop = watchStorage({
      store: {
        file: "parley.db",
        health: {
          failure: undefined,
          failAsDamaged() {},
          checkFiles() {
            looks += 1;
            if (looks === 5) enough.resolve();
            throw new Error("a defect");
          },
        },
      },
      lookEveryMs: 1,
      firstCheckAfterMs: 60_000,
      log: {
        info() {},
        warn() {},
        error: (_fields: unknown, message?: string) => told.push(String(message)),
      },
      onSound() {},
    });
    await enough.promise;
    stop();
    expect(told).toEqual([expect.stringContaining("could not be looked at")]);
  });

  test("fails storage where a check finds damage", async () => {
    const told = await watchWith({ kind: "damaged", finding: "page 8 is zero" });
    expect(told).toEqual([
      expect.stringMatching(/^damaged: .*a check of every page found: page 8 is zero\. /),
    ]);
  });

  test("notes when a check found the database sound", async () => {
    expect(await watchWith({ kind: "sound" })).toEqual(["sound", expect.stringContaining("sound")]);
  });

  test("does not take a check that could not be run for damage", async () => {
    expect(await watchWith({ kind: "unknown", reason: "killed" })).toEqual([
      expect.stringContaining("could not be checked"),
    ]);
  });
});
