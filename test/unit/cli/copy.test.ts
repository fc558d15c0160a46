import { afterEach, beforeEach, describe, expect, test } from "bun:test";

import { CliFixture, stopOnce } from "../../support/cli.ts";
import { whyNoPostgres } from "../../support/postgres-server.ts";
import { PostgresStores } from "../../support/postgres-stores.ts";

describe.skipIf(whyNoPostgres !== undefined)("copy", () => {
  let cli: CliFixture;
  let stores: PostgresStores;
  beforeEach(async () => {
    cli = new CliFixture();
    stores = await PostgresStores.create();
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
      `from ${cli.data}/parley.db to ${stores.url}; both were read again, and are the same`,
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
    expect(stderr).toContain("--to holds a password");
    expect(stderr).toContain("PARLEY_STORE");
    expect(stderr).not.toContain("secret");
  });

  test.each([
    [["copy"], "name the database: PARLEY_STORE=postgres://…"],
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
    expect(stopped.stderr).toContain("stopped; the same command goes on where it was");
    const { stdout } = await cli.run(["doctor", "--quick"], { env });
    expect(stdout).toContain("holds a copy that is not finished, and no server takes it");
    const served = await cli.run(["serve", "--port", "0", "--operator-port", "0"], { env });
    expect(served.exitCode).toBe(3);
    expect(served.stderr).toContain("holds a copy that is not finished; run the same `parley copy` again");
    expect((await cli.run(["copy"], { env })).exitCode).toBe(0);
    expect((await cli.run(["doctor", "--quick"], { env })).stdout).toContain("answers, and is up to date");
  });
});
