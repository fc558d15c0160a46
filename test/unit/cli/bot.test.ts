import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { copyFileSync } from "node:fs";
import { join } from "node:path";

import type { ConversationId, RequestId } from "../../../src/domain/ids.ts";
import type { BotKey } from "../../../src/store/interface/bots.ts";
import { Sqlite } from "../../../src/store/sqlite/driver.ts";
import { SqliteStore } from "../../../src/store/sqlite/sqlite-store.ts";
import { SqliteUsage } from "../../../src/store/sqlite/usage.ts";
import { CliFixture } from "../../support/cli.ts";
import { readTables } from "../../support/databases.ts";
import { turnWith } from "../../support/turns.ts";

let cli: CliFixture;
beforeEach(() => void (cli = new CliFixture()));
afterEach(() => cli[Symbol.dispose]());

async function listIds(): Promise<string[]> {
  const { stdout } = await cli.run(["bot", "list", "--json"]);
  return (JSON.parse(stdout) as { bots: { id: string }[] }).bots.map((bot) => bot.id);
}

function useTokens(bot: BotKey, at: number, tokens: number): void {
  const db = new Sqlite(`${cli.data}/parley.db`);
  new SqliteUsage(db).addTokens(bot, at, tokens);
  db.close();
}

async function checkOrigin(allowedDomains: string[], origin: string, ...more: string[]) {
  const document = { id: "shop", name: "Shop", allowedDomains };
  await cli.run(["seed", "-"], { stdin: JSON.stringify(document) });
  return cli.run(["bot", "check-origin", "shop", origin, ...more]);
}

describe("bot list", () => {
  test("prints one line a bot under a heading", async () => {
    await cli.seed("acme-sales", "acme-support");
    const { stdout, stderr, exitCode } = await cli.run(["bot", "list"]);
    expect(stdout.split("\n").map((line) => line.split(/ {2,}/))).toEqual([
      ["ID", "NAME", "STATE", "VERSION", "MESSAGES THIS MONTH", "UPDATED"],
      ["acme-sales", "The acme-sales bot", "enabled", "1", "0", "2026-11-21T12:00:00Z"],
      ["acme-support", "The acme-support bot", "enabled", "1", "0", "2026-11-21T12:00:00Z"],
      [""],
    ]);
    expect({ stderr, exitCode }).toEqual({ stderr: "", exitCode: 0 });
  });

  test("prints one JSON document, also without bots", async () => {
    await cli.seed("acme-support");
    await cli.run(["bot", "delete", "acme-support", "--yes"]);
    expect(JSON.parse((await cli.run(["bot", "list", "--json"])).stdout)).toEqual({ bots: [] });
  });

  test("names a folder that holds no database, and makes none", async () => {
    const { stderr, exitCode } = await cli.run(["bot", "list"]);
    expect(stderr).toContain(`there is no Parley database in ${cli.data}`);
    expect(exitCode).toBe(2);
    expect((await cli.run(["bot", "list"])).exitCode).toBe(2);
  });
});

describe("an id that no bot has", () => {
  test.each([
    ["show", "acme-suport", "no bot `acme-suport`; did you mean `acme-support`?"],
    ["export", "acme", "no bot `acme`; did you mean `acme-support`?"],
    ["enable", "zzz", "no bot `zzz`"],
    ["disable", "acme-supprot", "did you mean `acme-support`?"],
    ["delete", "acme-support2", "did you mean `acme-support`?"],
  ])("bot %s %s", async (verb, id, message) => {
    await cli.seed("acme-support");
    const { stderr, stdout, exitCode } = await cli.run(["bot", verb, id]);
    expect(stderr).toStartWith("error: ");
    expect(stderr).toContain(message);
    expect({ stdout, exitCode }).toEqual({ stdout: "", exitCode: 1 });
  });
});

describe("bot show", () => {
  test("prints the whole document as JSON", async () => {
    await cli.seed("acme-support");
    expect(JSON.parse((await cli.run(["bot", "show", "acme-support", "--json"])).stdout)).toEqual({
      id: "acme-support",
      enabled: true,
      version: 1,
      createdAt: "2026-11-21T12:00:00Z",
      updatedAt: "2026-11-21T12:00:00Z",
      usage: { month: "2026-11", messages: 0, modelTokens: 0 },
      document: { id: "acme-support", name: "The acme-support bot", allowedDomains: ["example.com"] },
    });
  });

  test("shows what counts at a glance", async () => {
    const document = {
      id: "shop",
      name: "Shop",
      allowedDomains: ["shop.example", "*.shop.example"],
      monthlyMessageCap: 500,
      intents: [{ name: "orders.status", examples: ["where is my order"], responses: ["Soon."] }],
      capabilityProfile: { deny: ["legal.*"] },
    };
    await cli.run(["seed", "-", "--accept-faults"], { stdin: JSON.stringify(document) });
    const { stdout } = await cli.run(["bot", "show", "shop"]);
    expect(stdout).toContain("messages  0 in 2026-11 (cap 500)");
    expect(stdout).toContain("domains   shop.example, *.shop.example");
    expect(stdout).toContain("intents   orders.status");
    expect(stdout).toContain("deny      legal.*");
    expect(stdout).not.toContain("tokens");
  });

  test.each<[string, object, string]>([
    ["that names a model", { responder: { kind: "model" } }, "tokens    0 of models in 2026-11 (no budget)"],
    [
      "whose model steps in for one intent",
      { intents: [{ name: "a", responder: { kind: "scripted", else: "model" } }] },
      "tokens    0 of models in 2026-11 (no budget)",
    ],
    [
      "with a judge",
      { classifier: { judge: { model: "local" } } },
      "tokens    0 of models in 2026-11 (no budget)",
    ],
    ["with a budget", { monthlyTokenBudget: 2000 }, "tokens    0 of models in 2026-11 (budget 2000)"],
  ])("counts the model tokens of a bot %s", async (_, fields, line) => {
    const document = { id: "shop", name: "Shop", allowedDomains: [], ...fields };
    await cli.run(["seed", "-"], { stdin: JSON.stringify(document) });
    expect((await cli.run(["bot", "show", "shop"])).stdout).toContain(line);
  });

  test("says how many model tokens the month has used", async () => {
    await cli.seed("shop");
    const now = Date.UTC(2026, 10, 21, 12);
    {
      await using store = new SqliteStore({ dataDir: cli.data, now: () => now, busyTimeoutMs: 1000 });
      useTokens((await store.bots.find("shop"))!.key, now, 345);
    }
    expect((await cli.run(["bot", "show", "shop"])).stdout).toContain("tokens    345 of models in 2026-11");
    const { stdout } = await cli.run(["bot", "show", "shop", "--json"]);
    expect(JSON.parse(stdout)).toMatchObject({ usage: { modelTokens: 345 } });
  });
});

describe("bot usage", () => {
  const NOW = Date.UTC(2026, 10, 21, 12);

  /** A bot that has used 3 of 4 messages, and 1,500 of 2,000 tokens. */
  async function seedUsed(fields: object): Promise<void> {
    const document = { id: "shop", name: "Shop", allowedDomains: [], ...fields };
    await cli.run(["seed", "-"], { stdin: JSON.stringify(document) });
    await using store = new SqliteStore({ dataDir: cli.data, now: () => NOW, busyTimeoutMs: 1000 });
    const { key } = (await store.bots.find("shop"))!;
    for (const request of ["rq_1", "rq_2", "rq_3"]) {
      const turn = turnWith({ requestId: request as RequestId, at: NOW });
      await store.recordTurn({ bot: key, conversationId: "cv_1" as ConversationId, turn });
    }
    useTokens(key, NOW, 1500);
  }

  test("shows messages against the cap and tokens against the budget", async () => {
    await seedUsed({ monthlyMessageCap: 4, monthlyTokenBudget: 2000 });
    const { stdout } = await cli.run(["bot", "usage", "shop"]);
    expect(stdout).toBe("month     2026-11\nmessages  3 of 4 (75 %)\ntokens    1500 of 2000 (75 %)\n");
    expect(JSON.parse((await cli.run(["bot", "usage", "shop", "--json"])).stdout)).toEqual({
      botId: "shop",
      month: "2026-11",
      messages: 3,
      monthlyMessageCap: 4,
      modelTokens: 1500,
      monthlyTokenBudget: 2000,
    });
  });

  test("says where there is no cap and no budget", async () => {
    await seedUsed({});
    const { stdout } = await cli.run(["bot", "usage", "shop"]);
    expect(stdout).toContain("messages  3 (no cap)");
    expect(stdout).toContain("tokens    1500 (no budget)");
  });

  test("--reset-tokens counts tokens from zero again, and leaves messages alone", async () => {
    await seedUsed({ monthlyTokenBudget: 2000 });
    const { stdout, stderr } = await cli.run(["bot", "usage", "shop", "--reset-tokens", "--json"]);
    expect(JSON.parse(stdout)).toMatchObject({ messages: 3, modelTokens: 0 });
    expect(stderr).toContain("1500 tokens of 2026-11 are no longer counted");
  });

  test("reads and resets what an earlier version let a model server count", async () => {
    await seedUsed({});
    const db = new Sqlite(`${cli.data}/parley.db`);
    db.exec("UPDATE monthly_usage SET model_tokens = 9223372036854775807");
    db.close();
    {
      await using store = new SqliteStore({ dataDir: cli.data, now: () => NOW, busyTimeoutMs: 1000 });
      useTokens((await store.bots.find("shop"))!.key, NOW, 10);
    }
    expect((await cli.run(["bot", "usage", "shop"])).stdout).toContain(
      `tokens    ${Number.MAX_SAFE_INTEGER}`,
    );
    expect((await cli.run(["bot", "usage", "shop", "--reset-tokens"])).stdout).toContain("tokens    0");
  });
});

describe("bot enable and disable", () => {
  test("take effect, and say so", async () => {
    await cli.seed("acme-support");
    expect((await cli.run(["bot", "disable", "acme-support"])).stderr).toBe("acme-support is disabled\n");
    expect((await cli.run(["bot", "disable", "acme-support"])).stderr).toBe(
      "acme-support is disabled already\n",
    );
    expect((await cli.run(["bot", "list"])).stdout).toContain("disabled");
    expect((await cli.run(["bot", "enable", "acme-support"])).stderr).toBe("acme-support is enabled\n");
    expect((await cli.run(["bot", "list"])).stdout).not.toContain("disabled");
  });
});

describe("bot delete", () => {
  const openStore = () => new SqliteStore({ dataDir: cli.data, now: Date.now, busyTimeoutMs: 1000 });
  const say = async () => {
    await using store = openStore();
    const turn = turnWith({ requestId: "rq_1" as RequestId, at: Date.now(), input: "hello" });
    const bot = (await store.bots.find("acme-support"))!.key;
    await store.recordTurn({ bot, conversationId: "cv_1" as ConversationId, turn });
  };
  const rowsOf = (table: string) => readTables(join(cli.data, "parley.db")).get(table)!.length;

  test("needs --yes where nobody can be asked", async () => {
    await cli.seed("acme-support");
    const { stderr, exitCode } = await cli.run(["bot", "delete", "acme-support"]);
    expect(stderr).toContain("confirm with --yes");
    expect(exitCode).toBe(2);
    expect(await listIds()).toEqual(["acme-support"]);
  });

  test("asks on a terminal, and obeys", async () => {
    await cli.seed("acme-support");
    await cli.run(["bot", "delete", "acme-support"], { confirm: false });
    expect(await listIds()).toEqual(["acme-support"]);
    await cli.run(["bot", "delete", "acme-support"], { confirm: true });
    expect(await listIds()).toEqual([]);
  });

  test("asks nothing with --yes", async () => {
    await cli.seed("acme-support", "acme-sales");
    expect((await cli.run(["bot", "delete", "acme-support", "--yes"])).exitCode).toBe(0);
    expect(await listIds()).toEqual(["acme-sales"]);
  });

  test("erases what was said in steps, and names copies of the database that still hold it", async () => {
    await cli.seed("acme-support");
    await say();
    const copy = join(cli.data, "parley.db.v1.0.backup");
    copyFileSync(join(cli.data, "parley.db"), copy);
    const { stderr } = await cli.run(["bot", "delete", "acme-support", "--yes"]);
    expect(stderr).toStartWith("acme-support is deleted\n");
    expect(stderr).toContain(`these copies of the database still contain the deleted data: ${copy}`);
    await using store = openStore();
    expect(await store.bots.listDeleted()).toEqual([]);
    expect(rowsOf("conversations")).toBe(0);
  });

  test("goes on with what a deletion that was broken off has left", async () => {
    await cli.seed("acme-support");
    await say();
    await using store = openStore();
    await store.bots.delete("acme-support");
    expect(rowsOf("conversations")).toBe(1);
    expect(await cli.run(["bot", "delete", "acme-support"])).toMatchObject({ exitCode: 0 });
    expect(rowsOf("conversations")).toBe(0);
    expect((await cli.run(["bot", "delete", "acme-support"])).exitCode).toBe(1);
  });
});

describe("bot export", () => {
  test("prints what seed takes, so that seeding it again changes nothing", async () => {
    await cli.seed("acme-sales", "acme-support");
    await cli.run(["bot", "disable", "acme-sales"]);
    const { stdout: stdin } = await cli.run(["bot", "export"]);
    const { stdout } = await cli.run(["seed", "-"], { stdin });
    expect(stdout).toBe("unchanged  acme-sales\nunchanged  acme-support\n");
  });

  test("a disabled bot stays disabled where it is seeded", async () => {
    await cli.seed("acme-sales");
    await cli.run(["bot", "disable", "acme-sales"]);
    const { stdout: stdin } = await cli.run(["bot", "export", "acme-sales"]);
    using other = new CliFixture();
    await other.run(["seed", "-"], { stdin });
    expect((await other.run(["bot", "list"])).stdout).toContain("disabled");
  });

  test("prints what a file says as it is written, while the bot is what it says", async () => {
    const file = "# why it is called so\nid: a\nname: A # short\nallowedDomains: []\n";
    await cli.run(["seed", "-"], { stdin: file });
    expect((await cli.run(["bot", "export", "a"])).stdout).toBe(file);
    await cli.run(["bot", "disable", "a"]);
    const { stdout } = await cli.run(["bot", "export", "a"]);
    expect(stdout).not.toContain("#");
    expect(stdout).toContain("enabled: false");
  });

  test("prints several bots as a stream, whatever marks a file of one ends with", async () => {
    for (const id of ["a", "b"]) {
      const stdin = `%YAML 1.2\n---\nid: ${id}\nname: ${id}\nallowedDomains: []\n...\n`;
      await cli.run(["seed", "-"], { stdin });
    }
    const { stdout: stdin } = await cli.run(["bot", "export"]);
    expect((await cli.run(["seed", "-"], { stdin })).stdout).toBe("unchanged  a\nunchanged  b\n");
  });

  test("prints one bot as JSON, and several as a list, which seed takes", async () => {
    await cli.seed("a", "b");
    expect(JSON.parse((await cli.run(["bot", "export", "a", "--json"])).stdout)).toMatchObject({ id: "a" });
    const { stdout: stdin } = await cli.run(["bot", "export", "--json"]);
    expect(JSON.parse(stdin)).toMatchObject([{ id: "a" }, { id: "b" }]);
    expect((await cli.run(["seed", "-"], { stdin })).stdout).toBe("unchanged  a\nunchanged  b\n");
  });
});

describe("bot schema", () => {
  test("is a JSON Schema, and needs no data folder", async () => {
    const { stdout, exitCode } = await cli.run(["bot", "schema"]);
    expect(JSON.parse(stdout)).toMatchObject({ type: "object", required: ["id", "name", "allowedDomains"] });
    expect(exitCode).toBe(0);
  });
});

describe("bot check-origin", () => {
  test("names the entry that allows", async () => {
    const { stdout, exitCode } = await checkOrigin(
      ["a.example", "*.shop.example"],
      "https://www.shop.example",
    );
    expect(stdout).toBe("https://www.shop.example is allowed by `*.shop.example`\n");
    expect(exitCode).toBe(0);
  });

  test("names the entries that do not match, and ends with 1", async () => {
    const { stderr, stdout, exitCode } = await checkOrigin(
      ["shop.example", "localhost:5173"],
      "https://shop.example.evil",
    );
    expect(stderr).toContain("is refused: it matches none of `shop.example`, `localhost:5173`");
    expect({ stdout, exitCode }).toEqual({ stdout: "", exitCode: 1 });
  });

  test("says what to try instead of a page's address", async () => {
    const { stderr } = await checkOrigin(["shop.example"], "https://shop.example/cart?step=1");
    expect(stderr).toContain("try https://shop.example\n");
  });

  test("says that a bot without entries answers no page", async () => {
    expect((await checkOrigin([], "https://shop.example")).stderr).toContain("there are none");
  });

  test("prints JSON", async () => {
    const { stdout } = await checkOrigin(["shop.example"], "https://shop.example", "--json");
    expect(JSON.parse(stdout)).toEqual({
      botId: "shop",
      origin: "https://shop.example",
      allowed: true,
      entry: "shop.example",
      reason: "origin_matches",
    });
  });
});
