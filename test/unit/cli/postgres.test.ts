import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import { runInTerminal } from "../../support/cli.ts";
import { whyNoPostgres } from "../../support/postgres-server.ts";
import { PostgresStores, recordOf } from "../../support/postgres-stores.ts";

const NOW = Date.UTC(2026, 10, 22, 12);
const BOT = JSON.stringify({
  id: "shop",
  name: "Shop",
  allowedDomains: ["example.com"],
  intents: [{ name: "orders.status", examples: ["where is my order"], responses: ["On its way."] }],
});

describe.skipIf(whyNoPostgres !== undefined)("commands on a PostgreSQL database", () => {
  let stores: PostgresStores;
  beforeAll(async () => {
    stores = await PostgresStores.create({ isEmpty: true });
  });
  afterAll(() => stores[Symbol.asyncDispose]());

  const run = (args: string[], stdin = "") =>
    runInTerminal(args, { env: { PARLEY_STORE: stores.url }, stdin, now: NOW });

  test("name a database that holds nothing, and make nothing in a dry run", async () => {
    const { exitCode, stderr } = await run(["bot", "list"]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain("contains no Parley data");
    expect((await run(["seed", "-", "--dry-run"], BOT)).stdout).toBe("created    shop\n");
    expect((await run(["doctor", "--quick"])).stdout).toContain("holds nothing of Parley");
  });

  test("seed, issue tokens, list, sum up, show what was changed, and examine", async () => {
    expect((await run(["seed", "-", "--no-review"], BOT)).stdout).toBe("created    shop\n");
    expect((await run(["seed", "-", "--no-review"], BOT)).stdout).toBe("unchanged  shop\n");
    expect((await run(["token", "create", "--bot", "shop"])).stdout).toStartWith("parley_et_");
    expect((await run(["token", "list"])).stdout).toContain("shop");
    const store = await stores.open();
    const { key } = (await store.bots.find("shop"))!;
    await store.recordTurn(recordOf(key, "rq_1", { at: NOW, input: "where is my order" }));
    expect((await run(["bot", "list"])).stdout).toMatch(/shop\s+Shop\s+enabled\s+1\s+1\s/);
    expect((await run(["conversation", "list"])).stdout).toContain("where is my order");
    expect((await run(["audit", "decisions", "shop", "--json"])).stdout).toContain('"turns": 1');
    expect((await run(["explain", "rq_1"])).stdout).toContain("orders.status");
    expect((await run(["audit", "changes"])).stdout).toContain("bot.created");
    const { stdout } = await run(["doctor", "--quick"]);
    expect(stdout).toContain("answers, and is up to date");
    expect(stdout).toContain("1 can answer");
  });

  test("erase, and say where PostgreSQL may still hold it", async () => {
    const { exitCode, stderr } = await run(["conversation", "delete", "cv_rq_1"]);
    expect(exitCode).toBe(0);
    expect(stderr).toContain("when it vacuums");
    expect((await run(["conversation", "show", "cv_rq_1"])).exitCode).toBe(1);
  });

  test("say how a database is backed up and restored", async () => {
    for (const args of [["backup"], ["restore", "parley.dump"]]) {
      const { exitCode, stderr } = await runInTerminal(args, { env: { PARLEY_STORE: stores.url } });
      expect(exitCode).toBe(2);
      expect(stderr).toContain("pg_restore");
    }
    expect((await run(["backup"])).stderr).toContain("pg_dump");
  });

  test("put no password into a unit of systemd", async () => {
    const env = { PARLEY_STORE: "postgres://ann:secret@db.example/parley", PARLEY_DATA: "/var/lib/parley" };
    const { stdout, stderr, exitCode } = await runInTerminal(["service"], { env });
    expect(exitCode).toBe(0);
    expect(stdout + stderr).not.toContain("secret");
    expect(stdout).toContain("EnvironmentFile=");
    expect(stderr).toContain("Put PARLEY_STORE into");
  });
});
