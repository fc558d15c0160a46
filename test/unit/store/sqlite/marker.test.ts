import { describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { openDatabase } from "../../../../src/store/sqlite/database.ts";
import { claimFolder } from "../../../../src/store/sqlite/folder-claim.ts";
import { UnusableDatabaseError } from "../../../../src/store/unusable-database.ts";
import { CliFixture } from "../../../support/cli.ts";

const BOT = "{id: shop, name: Shop, allowedDomains: [example.com]}";
const newFolder = () => mkdtempSync(join(tmpdir(), "parley-test-"));

/** A folder in which there was a service. */
function servedFolder(): string {
  const folder = newFolder();
  openDatabase(join(folder, "parley.db"), 0).close();
  return folder;
}

function refusalOf(open: () => unknown): string {
  try {
    open();
  } catch (error) {
    expect(error).toBeInstanceOf(UnusableDatabaseError);
    return (error as Error).message;
  }
  throw new Error("not refused");
}

describe("a database that was lost is not replaced by an empty one", () => {
  test("where its file is cut to nothing", () => {
    const file = join(servedFolder(), "parley.db");
    truncateSync(file, 0);
    expect(refusalOf(() => openDatabase(file, 0))).toMatch(
      /parley\.db is empty, .* restore a backup, or delete .*parley\.db\.marker to start with nothing/,
    );
    expect(statSync(file).size).toBe(0);
  });

  test("where its file is missing", () => {
    const file = join(servedFolder(), "parley.db");
    rmSync(file);
    expect(refusalOf(() => openDatabase(file, 0))).toMatch(/parley\.db is missing/);
  });

  test("and commands say so, too", async () => {
    const data = servedFolder();
    rmSync(join(data, "parley.db"));
    using cli = new CliFixture();
    for (const args of [
      ["bot", "list"],
      ["seed", "-"],
    ]) {
      const result = await cli.run([...args, "--data", data], { stdin: BOT });
      expect(result).toMatchObject({ exitCode: 3, stderr: expect.stringContaining("restore a backup") });
    }
  });

  test("unless the operator starts anew: the marker is deleted, too", () => {
    const file = join(servedFolder(), "parley.db");
    rmSync(file);
    rmSync(`${file}.marker`);
    openDatabase(file, 0).close();
    expect(readFileSync(`${file}.marker`, "utf8")).toContain("delete this file");
  });

  test("and a database from before there were markers gets one", () => {
    const file = join(servedFolder(), "parley.db");
    rmSync(`${file}.marker`);
    openDatabase(file, 0).close();
    expect(statSync(`${file}.marker`).mode & 0o777).toBe(0o600);
  });
});

test("a data folder that cannot be looked at is named, with the reason", async () => {
  using cli = new CliFixture();
  const data = "x".repeat(300);
  expect(refusalOf(() => openDatabase(join(data, "parley.db"), 0))).toContain("the path is too long");
  for (const args of [
    ["bot", "list"],
    ["seed", "-"],
  ]) {
    const result = await cli.run([...args, "--data", data], { stdin: BOT });
    expect(result).toMatchObject({ exitCode: 3, stderr: expect.stringContaining("the path is too long") });
  }
});

describe("a damaged file is refused with the cure", () => {
  test("where its first page is garbage", () => {
    const file = join(servedFolder(), "parley.db");
    writeFileSync(file, "garbage ".repeat(2000));
    expect(refusalOf(() => openDatabase(file, 0))).toMatch(/not a Parley database; .*restore a backup/);
  });

  test("where its schema cannot be read", () => {
    const file = join(servedFolder(), "parley.db");
    const bytes = readFileSync(file);
    bytes.fill(0xff, 100, 2000);
    writeFileSync(file, bytes);
    expect(refusalOf(() => openDatabase(file, 0))).toMatch(/is damaged .*restore the latest sound backup/);
  });
});

describe("`parley.lock` that is something else is refused with the cure", () => {
  test("where it is a folder", () => {
    const lock = join(newFolder(), "parley.lock");
    mkdirSync(lock);
    expect(refusalOf(() => claimFolder(lock))).toMatch(/parley\.lock is a folder; remove it/);
  });

  test("where it is garbage", () => {
    const lock = join(newFolder(), "parley.lock");
    writeFileSync(lock, "garbage ".repeat(2000));
    expect(refusalOf(() => claimFolder(lock))).toMatch(/parley\.lock holds something .*; delete it/);
  });
});
