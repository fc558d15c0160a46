import { expect, test } from "bun:test";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { ServiceError } from "../../../src/domain/errors.ts";
import { createReadiness } from "../../../src/http/health.ts";
import { SqliteStore } from "../../../src/store/sqlite/sqlite-store.ts";

function openStore() {
  const dataDir = mkdtempSync(join(tmpdir(), "parley-test-"));
  const store = new SqliteStore({ dataDir, now: Date.now, busyTimeoutMs: 0 });
  return { store, assertReady: createReadiness(store) };
}

/** A write of a message, as far as readiness knows. */
const beat = (store: SqliteStore) => store.beatClock(1);

test("a server is not ready from the write that fails on, and ready from the next that succeeds on", async () => {
  const { store, assertReady } = openStore();
  await using _ = store;
  await assertReady();
  // Within the second of the probe that succeeded.
  store.health.noticeOutcome(new ServiceError("STORAGE_UNAVAILABLE", "no room on the disk"));
  await expect(assertReady()).rejects.toMatchObject({ errorCode: "STORAGE_UNAVAILABLE" });
  await beat(store);
  await assertReady();
});

test("a failed probe does not outlast a message that was written after it", async () => {
  const { store } = openStore();
  await using _ = store;
  let probes = 0;
  const assertReady = createReadiness({
    health: store.health,
    async assertWritable() {
      probes += 1;
      const error = new ServiceError("STORAGE_UNAVAILABLE", "full");
      store.health.noticeOutcome(error);
      throw error;
    },
  });
  await expect(assertReady()).rejects.toThrow("full");
  await beat(store);
  await assertReady();
  expect(probes).toBe(1);
});

test("a probe that fails by a defect leaves the server not ready", async () => {
  const { store } = openStore();
  await using _ = store;
  const assertReady = createReadiness({
    health: store.health,
    assertWritable: () => Promise.reject(new Error("a defect")),
  });
  await expect(assertReady()).rejects.toThrow("a defect");
});
