import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { existsSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { LATEST_SCHEMA } from "../../../src/store/sqlite/migrate.ts";
import { shopBot } from "../../support/bots.ts";
import { CliFixture, stopOnce } from "../../support/cli.ts";
import { readTables, tablesBefore } from "../../support/databases.ts";

let cli: CliFixture;
let file: string;
beforeEach(async () => {
  cli = new CliFixture();
  file = join(cli.folder, "copy.db");
  await cli.seed("acme");
  await cli.run(["seed", "-", "--no-review"], { stdin: JSON.stringify(shopBot()) });
  await cli.converse("shop", ["hello", "hello again"]);
});
afterEach(() => cli[Symbol.dispose]());

const CONTENTS = { schema: LATEST_SCHEMA, bots: 2, embedTokens: 1, conversations: 1, turns: 2 };
const database = () => join(cli.data, "parley.db");

describe("backup", () => {
  test("without a file makes one in the data folder that is named after the moment", async () => {
    const { exitCode, stdout, stderr } = await cli.run(["backup"]);
    const made = join(cli.data, "backups", "parley-2026-11-21T12-00-00.000Z.db");
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: "" });
    expect(stderr).toMatch(/^backed up 2 bots, 1 embed token and 1 conversation with 2 turns\nto /);
    expect(stderr).toContain(`${made} (`);
    expect(readTables(made)).toEqual(tablesBefore("database.backed-up", readTables(database())));
  });

  test("prints JSON", async () => {
    const { stdout, stderr } = await cli.run(["backup", file, "--json"]);
    expect(JSON.parse(stdout)).toEqual({ file, bytes: Bun.file(file).size, ...CONTENTS });
    expect(stderr).toBe("");
  });

  test("1: the file is there; --force replaces it", async () => {
    writeFileSync(file, "another file");
    const { exitCode, stderr } = await cli.run(["backup", file]);
    expect({ exitCode, stderr }).toEqual({
      exitCode: 1,
      stderr: `error: ${file} exists; choose another name, or replace it with --force\n`,
    });
    expect(await Bun.file(file).text()).toBe("another file");
    expect((await cli.run(["backup", file, "--force"])).exitCode).toBe(0);
    expect(readTables(file)).toEqual(tablesBefore("database.backed-up", readTables(database())));
  });

  test("2: there is no database", async () => {
    rmSync(cli.data, { recursive: true });
    const { exitCode, stderr } = await cli.run(["backup", file]);
    expect(stderr).toContain("there is no Parley database in ");
    expect({ exitCode, made: existsSync(cli.data) }).toEqual({ exitCode: 2, made: false });
  });

  test("3: the database is damaged", async () => {
    writeFileSync(database(), "no database ".repeat(1000));
    const { exitCode, stderr } = await cli.run(["backup", file]);
    expect(stderr).toBe(`error: no backup was made: ${database()} is not a database\n`);
    expect({ exitCode, made: existsSync(file) }).toEqual({ exitCode: 3, made: false });
  });

  test("3: a restore of the database was interrupted", async () => {
    writeFileSync(`${database()}.restoring`, "parley.db.before-restore-x");
    const { exitCode, stderr } = await cli.run(["backup", file]);
    expect(stderr).toContain("was interrupted; run `parley restore FILE` again");
    expect(exitCode).toBe(3);
  });

  test("3: stopped by a signal; nothing is left", async () => {
    const { exitCode, stderr } = await cli.run(["backup", file], { onStopSignal: stopOnce() });
    expect({ exitCode, stderr }).toEqual({ exitCode: 3, stderr: "error: stopped; nothing was changed\n" });
    expect(readdirSync(cli.folder)).toEqual(["data"]);
  });
});

describe("restore", () => {
  beforeEach(async () => void (await cli.run(["backup", file])));

  test("says what came back, and where what was there is kept", async () => {
    const before = readTables(file);
    await cli.run(["bot", "delete", "acme", "--yes"]);
    const { exitCode, stdout, stderr } = await cli.run(["restore", file]);
    const kept = `${database()}.before-restore-2026-11-21T12-00-00.000Z`;
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: "" });
    expect(stderr).toStartWith("restored 2 bots, 1 embed token and 1 conversation with 2 turns\nto ");
    expect(stderr).toEndWith(`the earlier files are kept: ${kept}\n`);
    expect(tablesBefore("database.restored", readTables(database()))).toEqual(before);
    expect(readTables(kept).get("bot_rows")).toHaveLength(1);
  });

  test("prints JSON; an empty folder will do", async () => {
    const elsewhere = join(cli.folder, "elsewhere");
    const { stdout } = await cli.run(["restore", file, "--data", elsewhere, "--json"]);
    const restored = join(elsewhere, "parley.db");
    expect(JSON.parse(stdout)).toEqual({
      database: restored,
      bytes: Bun.file(restored).size,
      ...CONTENTS,
      kept: [],
    });
  });

  test.each([
    ["is not there", "nowhere.db", /^error: \S+nowhere\.db: there is no such file or folder\n$/],
    ["is no database", "text.db", /^error: \S+text\.db is not a database; nothing was changed\n$/],
  ])("1: the file %s", async (_, name, message) => {
    writeFileSync(join(cli.folder, "text.db"), "some text ".repeat(1000));
    const { exitCode, stderr } = await cli.run(["restore", join(cli.folder, name)]);
    expect(stderr).toMatch(message);
    expect(exitCode).toBe(1);
  });

  test("2: no file is named", async () => {
    expect((await cli.run(["restore"])).exitCode).toBe(2);
  });

  test("3: a server runs on the folder", async () => {
    let restored: Promise<{ exitCode: number; stderr: string }> | undefined;
    await cli.run(["serve", "--port", "0", "--operator-port", "0", "--log-level", "silent"], {
      onStopSignal(listener) {
        // The second listener would end the process that runs the tests.
        if (restored) return () => {};
        restored = cli.run(["restore", file]);
        void restored.then(() => listener("SIGTERM"));
        return () => {};
      },
    });
    expect(await restored).toMatchObject({
      exitCode: 3,
      stderr: `error: a server runs on ${cli.data}; stop it, and try again\n`,
    });
  });
});
