import { expect, test } from "bun:test";
import { renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { Sqlite } from "../../src/store/sqlite/driver.ts";
import { eventually } from "../support/eventually.ts";
import { emptyFolder, runExecutable, serveExecutable } from "../support/executable.ts";

test("the executable checks its database in a process of its own", async () => {
  const cwd = emptyFolder();
  await using serving = await serveExecutable(cwd);
  await eventually(async () => {
    const metrics = await (await fetch(`${serving.operatorUrl}/metrics`)).text();
    return /^parley_storage_sound_timestamp_seconds [1-9]/m.test(metrics);
  });
  const { exitCode, stdout } = await runExecutable(["check-database", "data/parley.db"], { cwd });
  expect([exitCode, JSON.parse(stdout)]).toEqual([0, { kind: "sound" }]);
}, 120_000);

test("a server whose folder was moved ends in peace, and touches nothing at the old place", async () => {
  const cwd = emptyFolder();
  const [data, moved] = [join(cwd, "data"), join(cwd, "moved")];
  writeFileSync(join(cwd, "shop.yaml"), "{id: shop, name: Shop, allowedDomains: ['*']}");
  const serving = await serveExecutable(cwd);
  expect((await runExecutable(["seed", "shop.yaml", "--no-review"], { cwd })).exitCode).toBe(0);
  renameSync(data, moved);
  expect((await fetch(`${serving.url}/readyz`)).status).toBe(503);
  // Another database, with a log that whoever closes the old one must not take for its own.
  const next = await serveExecutable(cwd);
  serving.process.kill("SIGTERM");
  expect(await serving.process.exited).toBe(0);
  expect((await fetch(`${next.url}/readyz`)).status).toBe(200);
  await next[Symbol.asyncDispose]();
  const db = new Sqlite(join(moved, "parley.db"), { readonly: true });
  expect(db.prepare("SELECT id FROM bots").pluck().all()).toEqual(["shop"]);
  db.close();
}, 120_000);
