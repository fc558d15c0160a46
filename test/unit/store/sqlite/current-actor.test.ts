import { expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { runAs } from "../../../../src/store/changes/current-actor.ts";
import { SqliteStore } from "../../../../src/store/sqlite/sqlite-store.ts";
import { shopBot } from "../../../support/bots.ts";

const SERVER = { kind: "server", name: "parley", command: "serve" } as const;

test("changes that a server commits in one group are each told in the name of who made them", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "parley-acting-"));
  const store = new SqliteStore({ dataDir, now: Date.now, busyTimeoutMs: 0, by: SERVER });
  try {
    await store.bots.seed([shopBot()], { prune: false, dryRun: false });
    const as = (name: string) =>
      runAs({ kind: "operator", name }, () => store.operators.add({ name, role: "viewer" }));
    await Promise.all([as("ann"), store.operators.add({ name: "nobody", role: "viewer" }), as("bob")]);
    const changes = await store.changes.list({ limit: 3 });
    expect(changes.map(({ subject, by }) => `${subject} by ${by.kind} ${by.name}`)).toEqual([
      "bob by operator bob",
      "nobody by server parley",
      "ann by operator ann",
    ]);
  } finally {
    await store[Symbol.asyncDispose]();
    rmSync(dataDir, { recursive: true });
  }
});
