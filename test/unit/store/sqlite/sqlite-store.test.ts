import { expect, test } from "bun:test";
import { existsSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { SqliteStore } from "../../../../src/store/sqlite/sqlite-store.ts";

test("a store that cannot be made whole leaves no file open", () => {
  const dataDir = mkdtempSync(join(tmpdir(), "parley-test-"));
  const make = () =>
    new SqliteStore({
      dataDir,
      now: Date.now,
      busyTimeoutMs: 0,
      get lease(): never {
        throw new Error("a step fails");
      },
    });
  expect(make).toThrow("a step fails");
  // SQLite removes the log when the last connection is closed.
  expect(existsSync(join(dataDir, "parley.db-wal"))).toBe(false);
});
