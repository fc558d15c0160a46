import { expect, test } from "bun:test";
import { readdirSync, writeFileSync } from "node:fs";

import { backUpInProcess } from "../../../../../src/store/sqlite/backup/backup-process.ts";
import { FilledFolder, readTables, tablesBefore } from "../../../../support/databases.ts";

test("the process makes a backup, whatever PARLEY_ variables say", async () => {
  using folder = new FilledFolder();
  await folder.fill("one");
  process.env.PARLEY_PORT = "nonsense";
  try {
    const { signal } = new AbortController();
    await backUpInProcess({ dataDir: folder.dataDir, file: folder.path("copy.db"), signal });
  } finally {
    delete process.env.PARLEY_PORT;
  }
  expect(readTables(folder.path("copy.db"))).toEqual(
    tablesBefore("database.backed-up", readTables(folder.database)),
  );
}, 120_000);

test("what it says of a failure is the error", async () => {
  using folder = new FilledFolder();
  await folder.fill("one");
  writeFileSync(folder.path("copy.db"), "another file");
  const order = { dataDir: folder.dataDir, file: folder.path("copy.db") };
  await expect(backUpInProcess({ ...order, signal: new AbortController().signal })).rejects.toThrow(
    /^\S+copy\.db exists; choose another name/,
  );
}, 120_000);

test("it ends when it is to stop", async () => {
  using folder = new FilledFolder();
  await folder.fill("one");
  const stopping = new AbortController();
  const made = backUpInProcess({
    dataDir: folder.dataDir,
    file: folder.path("copy.db"),
    signal: stopping.signal,
  });
  stopping.abort();
  await expect(made).rejects.toThrow();
  expect(readdirSync(folder.root)).toEqual(["data"]);
}, 120_000);
