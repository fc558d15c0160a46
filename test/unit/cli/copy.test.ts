import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";

import { CliFixture, stopOnce } from "../../support/cli.ts";
import { whyNoPostgres } from "../../support/postgres-server.ts";
import { PostgresStores } from "../../support/postgres-stores.ts";

describe.skipIf(whyNoPostgres !== undefined)("copy", () => {
  let cli: CliFixture;
  let stores: PostgresStores;
  beforeEach(async () => {
    cli = new CliFixture();
    stores = await PostgresStores.create({ isEmpty: true });
  });
  afterEach(async () => {
    await stores[Symbol.asyncDispose]();
    cli[Symbol.dispose]();
  });

  test("says what was copied, from where and to where, and that both are the same", async () => {
    await cli.seed("help");
    const open = { id: "shop", name: "Shop", allowedDomains: ["*"] };
    await cli.run(["seed", "-"], { stdin: JSON.stringify(open) });
    await cli.converse("shop", ["hello", "goodbye"]);
    const { exitCode, stdout, stderr } = await cli.run(["copy", "--from", cli.data, "--to", stores.url]);
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: "" });
    expect(stderr.split("\n").slice(0, 2)).toEqual([
      "copied 2 bots, 1 embed token and 1 conversation with 2 turns",
      `from ${cli.data}/parley.db to ${stores.url}; both were compared and are equal`,
    ]);
    expect(stderr).toContain("start servers with PARLEY_STORE");
    const env = { PARLEY_STORE: stores.url };
    expect((await cli.run(["bot", "list"], { env })).stdout).toMatch(/help.*\n.*shop/);
    expect((await cli.run(["audit", "changes"], { env })).stdout).toContain(
      `database.copied ${cli.data}/parley.db`,
    );
  });

  test("takes the folder and the database from the environment, and prints JSON without the password", async () => {
    await cli.seed("shop");
    const url = new URL(stores.url);
    url.password = "secret";
    const { stdout, stderr } = await cli.run(["copy", "--json"], { env: { PARLEY_STORE: url.href } });
    expect(JSON.parse(stdout)).toMatchObject({ to: stores.url, mendedTexts: 0, rows: { bots: 1, turns: 0 } });
    expect(stdout + stderr).not.toContain("secret");
  });

  test("refuses a password on the command line, and names the variable", async () => {
    await cli.seed("shop");
    const { exitCode, stderr } = await cli.run(["copy", "--to", "postgres://ann:secret@127.0.0.1/parley"]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain("--to contains a password");
    expect(stderr).toContain("PARLEY_STORE");
    expect(stderr).not.toContain("secret");
  });

  test.each([
    [["copy"], "give the database: PARLEY_STORE=postgres://…"],
    [["copy", "--to", "postgres"], "give the database: PARLEY_STORE=postgres://…"],
    [
      ["copy", "--from", "postgres", "--to", "new"],
      "give the database: PARLEY_STORE=postgres://… (or --from",
    ],
    [["copy", "--from", "postgres://127.0.0.1/parley"], "give the folder to create: --to DIR"],
    [["copy", "--from", "postgres", "--to", "postgres"], "--from and --to are both databases"],
    [["copy", "--from", "postgres://a:secret@127.0.0.1/parley", "--to", "new"], "--from contains a password"],
    [["copy", "--to", "mysql://127.0.0.1/parley"], "--to should be an address as postgres://"],
    [
      ["copy", "--to", "postgres://127.0.0.1/parley", "--from", "nowhere"],
      "there is no Parley database in nowhere",
    ],
  ])("%p makes no sense: %s", async (args, message) => {
    if (!args.includes("--from")) await cli.seed("shop");
    const { exitCode, stderr } = await cli.run(args);
    expect({ exitCode, isSaid: stderr.includes(message) }).toEqual({ exitCode: 2, isSaid: true });
  });

  test("that is stopped says how to go on; doctor and serve tell of half a copy, and the same command ends it", async () => {
    await cli.seed("shop");
    const env = { PARLEY_STORE: stores.url };
    const stopped = await cli.run(["copy"], { env, onStopSignal: stopOnce() });
    expect(stopped.exitCode).toBe(3);
    expect(stopped.stderr).toContain("stopped; the same command continues from here");
    const { stdout } = await cli.run(["doctor", "--quick"], { env });
    expect(stdout).toContain("holds a copy that is not finished, and no server takes it");
    const served = await cli.run(["serve", "--port", "0", "--operator-port", "0"], { env });
    expect(served.exitCode).toBe(3);
    expect(served.stderr).toContain("holds a copy that is not finished; run the same `parley copy` again");
    expect((await cli.run(["copy"], { env })).exitCode).toBe(0);
    expect((await cli.run(["doctor", "--quick"], { env })).stdout).toContain("answers, and is up to date");
  });

  test("comes back from the database that the environment names, or an address, into a new folder", async () => {
    await cli.seed("shop");
    const url = new URL(stores.url);
    url.password = "secret";
    const env = { PARLEY_STORE: url.href };
    expect((await cli.run(["copy", "--to", "postgres"], { env })).exitCode).toBe(0);
    const folder = join(cli.folder, "again");
    const { exitCode, stdout, stderr } = await cli.run(["copy", "--from", "postgres", "--to", folder], {
      env,
    });
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: "" });
    expect(stderr.split("\n").slice(0, 3)).toEqual([
      "copied 1 bot, 0 embed tokens and 0 conversations with 0 turns",
      `from ${stores.url} to ${folder}/parley.db; both were compared and are equal`,
      "start servers without PARLEY_STORE on this folder; messages sent to a server on the database after this are not in the copy",
    ]);
    expect((await cli.run(["bot", "list"], { env: { PARLEY_DATA: folder } })).stdout).toContain("shop");
    const refused = await cli.run(["copy", "--from", "postgres", "--to", folder], { env });
    expect(refused.exitCode).toBe(3);
    expect(refused.stderr).toContain(`${folder} is not empty (there is parley.db`);
    const second = join(cli.folder, "second");
    const json = await cli.run(["copy", "--from", stores.url, "--to", second, "--json"]);
    const { from, to, rows } = JSON.parse(json.stdout) as { from: string; to: string; rows: object };
    expect({ from, to, rows }).toMatchObject({
      from: stores.url,
      to: `${second}/parley.db`,
      rows: { bots: 1 },
    });
    expect(stderr + refused.stderr + json.stdout).not.toContain("secret");
  });

  test("of an empty database says that there is nothing, and makes no folder", async () => {
    const folder = join(cli.folder, "again");
    const { exitCode, stderr } = await cli.run(["copy", "--from", stores.url, "--to", folder]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(`${stores.url} contains no Parley data`);
    expect(existsSync(folder)).toBe(false);
  });

  test("back that is stopped leaves no database, and the same command makes one", async () => {
    await cli.seed("shop");
    await cli.run(["copy", "--to", stores.url]);
    const args = ["copy", "--from", stores.url, "--to", join(cli.folder, "again")];
    const stopped = await cli.run(args, { onStopSignal: stopOnce() });
    expect(stopped.exitCode).toBe(3);
    expect(stopped.stderr).toContain("stopped; nothing was kept, and the same command starts again");
    expect(existsSync(join(cli.folder, "again/parley.db"))).toBe(false);
    expect((await cli.run(args)).exitCode).toBe(0);
  });
});
