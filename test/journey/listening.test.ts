import { expect, test } from "bun:test";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { emptyFolder, runExecutable, serveExecutable } from "../support/executable.ts";
import type { ChatResponseBody } from "../support/parley.ts";
import { isOnPostgres } from "../support/store-under-test.ts";

const SHOP = {
  id: "shop",
  name: "Shop",
  allowedDomains: ["*"],
  intents: [
    {
      name: "orders.status",
      examples: ["where is my order", "track my parcel please", "when will my package arrive"],
      responses: ["It is on its way."],
    },
    {
      name: "account.delete",
      examples: ["delete my account", "erase all of my data", "remove my profile for good"],
    },
  ],
  capabilityProfile: { deny: ["account.*"] },
};
const VISITORS = [
  ["where is my order", "and the invoice?"],
  ["do you rent out tents", "do you rent tents"],
  ["can I rent a tent"],
  ["delete my account"],
  ["tarck my parcel please"],
];

/** What an operator does on a Monday: look at what visitors wrote, try a change on a file, and seed it. */
test("an operator reads what visitors wrote, and makes the bot understand it", async () => {
  const cwd = emptyFolder();
  const run = (...args: string[]) => runExecutable(args, { cwd });
  const json = async (...args: string[]) => JSON.parse((await run(...args, "--json")).stdout) as never;
  const write = (bot: object) => writeFileSync(join(cwd, "shop.json"), JSON.stringify(bot));
  write(SHOP);
  await run("seed", "shop.json", "--no-review");
  const { token }: { token: string } = await json("token", "create", "--bot", "shop");

  const requestIds: string[] = [];
  {
    await using serving = await serveExecutable(cwd, []);
    for (const messages of VISITORS) {
      let conversationId: string | undefined;
      for (const input of messages) {
        const response = await fetch(`${serving.url}/chat`, {
          method: "POST",
          headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
          body: JSON.stringify({ botId: "shop", input, conversationId }),
        });
        requestIds.push(response.headers.get("X-Request-Id")!);
        ({ conversationId } = (await response.json()) as ChatResponseBody);
      }
    }
    // The server runs: a list may be asked for at any time.
    const { conversations }: { conversations: object[] } = await json("conversation", "list");
    expect(conversations).toHaveLength(5);
  }

  const audit = await run("audit", "decisions", "--since", "1d");
  expect(audit.stdout).toContain("- do you rent out tents\n");
  expect(audit.stdout).toContain("- delete my account\n");

  const late: { conversations: { turns: number }[] } = await json(
    "conversation",
    "list",
    "--grep",
    "INVOICE",
  );
  expect(late.conversations).toMatchObject([{ turns: 2 }]);

  const exported = await run("conversation", "export", "--jsonl", "--output", "all.jsonl");
  expect(exported.stderr).toBe("exported 5 conversations with 7 turns to all.jsonl\n");
  expect(readFileSync(join(cwd, "all.jsonl"), "utf8").trimEnd().split("\n")).toHaveLength(5);
  const piped = await run("conversation", "export", "--reason", "DENY_LIST");
  expect(JSON.parse(piped.stdout)).toMatchObject({ turns: [{ input: "delete my account" }] });

  const misspelt = await run("explain", requestIds.at(-1)!);
  expect(misspelt.stdout).toMatch(/^nearest +"track my parcel please" of orders\.status, 100 % alike$/m);
  expect(misspelt.stdout).toMatch(/^taken +tarck as track$/m);

  const rental = {
    name: "tents.rent",
    examples: ["do you rent out tents", "can I rent a tent", "tents for hire"],
    responses: ["We do."],
  };
  write({
    ...SHOP,
    intents: [...SHOP.intents, rental],
    tests: [{ utterance: "do you rent tents", intent: "tents.rent", decision: "allowed" }],
  });
  expect(await run("eval", "shop.json")).toMatchObject({ exitCode: 0 });
  const tried = await run("explain", "--bot", "shop.json", "do you rent tents");
  expect(tried.stdout).toMatch(/^in short +answered with tents\.rent, /m);
  expect((await run("explain", "--bot", "shop", "do you rent tents")).stdout).toMatch(
    /^in short +(not|asked)/m,
  );
  await run("seed", "shop.json", "--no-review");
  const seeded = await run("explain", "--bot", "shop", "do you rent tents");
  expect(seeded.stdout).toMatch(/^in short +answered with tents\.rent, /m);
}, 120_000);

test("an operator who mistypes a path does not lose the bots that are not in it", async () => {
  const cwd = emptyFolder();
  const run = (...args: string[]) => runExecutable(args, { cwd });
  writeFileSync(join(cwd, "shop.json"), JSON.stringify(SHOP));
  writeFileSync(join(cwd, "other.json"), JSON.stringify({ ...SHOP, id: "other" }));
  await run("seed", "shop.json", "--no-review");
  const refused = await run("seed", "other.json", "--prune", "--no-review");
  expect(refused).toMatchObject({ exitCode: 2, stdout: "" });
  expect(refused.stderr).toContain("  shop  0              0\n");
  expect((await run("bot", "show", "shop")).exitCode).toBe(0);
  expect((await run("bot", "show", "other")).exitCode).toBe(1);
  expect((await run("seed", "other.json", "--prune", "--yes", "--no-review")).exitCode).toBe(0);
  expect((await run("bot", "show", "shop")).exitCode).toBe(1);
  expect(existsSync(join(cwd, "data", "parley.db"))).toBe(!isOnPostgres);
}, 120_000);
