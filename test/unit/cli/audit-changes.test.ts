import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { join } from "node:path";

import type { AuditedChange, ChangePage } from "../../../src/operate/audit-changes.ts";
import { Sqlite } from "../../../src/store/sqlite/driver.ts";
import { shopBot } from "../../support/bots.ts";
import { CliFixture, stopOnce } from "../../support/cli.ts";

let cli: CliFixture;
beforeEach(() => void (cli = new CliFixture()));
afterEach(() => cli[Symbol.dispose]());

async function run(...args: string[]): Promise<string> {
  const { exitCode, stdout, stderr } = await cli.run(args);
  if (exitCode !== 0) throw new Error(stderr);
  return stdout.trim();
}

async function changes(...flags: string[]): Promise<AuditedChange[]> {
  return (JSON.parse(await run("audit", "changes", "--json", ...flags)) as ChangePage).changes;
}

const shopFile = (fields: object = {}) => JSON.stringify({ ...shopBot(), ...fields });

const seedShop = async (fields?: object, ...flags: string[]) => {
  await cli.run(["seed", "-", "--no-review", ...flags], { stdin: shopFile(fields) });
};

const WROTE = "my card is canary-4242";
const serve = () =>
  cli.run(["serve", "--port", "0", "--operator-port", "0", "--log-level", "silent"], {
    onStopSignal: stopOnce(),
  });

/** What a command leaves in the audit, by the command line that does it; each goes on from the one before. */
const DEEDS: { deed: () => Promise<unknown>; command: string; what: string; subject: RegExp }[] = [
  { deed: () => seedShop(), command: "seed", what: "bot.created", subject: /^shop$/ },
  { deed: () => seedShop({ name: "Store" }), command: "seed", what: "bot.updated", subject: /^shop$/ },
  {
    deed: async () => {
      await Bun.write(join(cli.folder, "boots.md"), "# Boots\n\nGrease them.");
      await run("knowledge", "add", "shop", join(cli.folder, "boots.md"));
    },
    command: "knowledge add",
    what: "knowledge.changed",
    subject: /^shop$/,
  },
  {
    deed: () => run("knowledge", "remove", "shop", join(cli.folder, "boots.md")),
    command: "knowledge remove",
    what: "knowledge.changed",
    subject: /^shop$/,
  },
  {
    deed: () => run("bot", "disable", "shop"),
    command: "bot disable",
    what: "bot.disabled",
    subject: /^shop$/,
  },
  { deed: () => run("bot", "enable", "shop"), command: "bot enable", what: "bot.enabled", subject: /^shop$/ },
  {
    deed: () => run("token", "create", "--bot", "shop", "--label", "Page"),
    command: "token create",
    what: "token.issued",
    subject: /^et_/,
  },
  {
    deed: async () => run("token", "revoke", (await changes())[0]!.subject),
    command: "token revoke",
    what: "token.revoked",
    subject: /^et_/,
  },
  {
    deed: async () =>
      run("conversation", "delete", (await cli.converse("shop", [WROTE, "hello"])).conversationId),
    command: "conversation delete",
    what: "conversations.deleted",
    subject: /^cv_/,
  },
  {
    deed: async () => {
      for (const _ of [1, 2]) await cli.converse("shop", [WROTE, "hello"]);
      await run("conversation", "delete", "--matching", "CANARY", "--yes");
    },
    command: "conversation delete",
    what: "conversations.deleted",
    subject: /^2 conversations$/,
  },
  {
    deed: () => run("bot", "usage", "shop", "--reset-tokens"),
    command: "bot usage",
    what: "usage.tokens-reset",
    subject: /^shop$/,
  },
  {
    deed: () => run("backup", join(cli.folder, "copy.db")),
    command: "backup",
    what: "database.backed-up",
    subject: /copy\.db$/,
  },
  {
    deed: () => run("restore", join(cli.folder, "copy.db")),
    command: "restore",
    what: "database.restored",
    subject: /copy\.db$/,
  },
  {
    deed: () => run("doctor", "--confirm-clock"),
    command: "doctor",
    what: "clock.confirmed",
    subject: /^clock$/,
  },
  {
    deed: () => cli.run(["quickstart", "--port", "0", "--operator-port", "0"], { onStopSignal: stopOnce() }),
    command: "quickstart",
    what: "token.issued",
    subject: /^et_/,
  },
  { deed: () => serve(), command: "serve", what: "server.settings", subject: /^server$/ },
  {
    deed: async () => {
      const stdin = JSON.stringify({ id: "acme", name: "Acme", allowedDomains: [] });
      await cli.run(["seed", "-", "--prune", "--yes"], { stdin });
    },
    command: "seed",
    what: "bot.pruned",
    subject: /^shop$/,
  },
  {
    deed: () => run("bot", "delete", "acme", "--yes"),
    command: "bot delete",
    what: "bot.deleted",
    subject: /^acme$/,
  },
];

/** After a restore, a number may name another change than before. */
const nameOf = ({ number, what }: AuditedChange) => `${number} ${what}`;

describe("audit changes", () => {
  test("has every change that a command makes, with who ran which", async () => {
    for (const { deed, command, what, subject } of DEEDS) {
      const known = new Set((what === "bot.created" ? [] : await changes()).map(nameOf));
      await deed();
      const fresh = (await changes()).filter((change) => !known.has(nameOf(change)));
      expect(fresh.filter((change) => change.what === what && subject.test(change.subject))).toEqual([
        expect.objectContaining({
          by:
            command === "serve"
              ? { kind: "server", name: expect.any(String), command }
              : { kind: "user", name: "ann", command },
          what,
        }),
      ]);
    }
  }, 120_000);

  test("holds no token, and nothing that a visitor wrote", async () => {
    await seedShop();
    const token = await run("token", "create", "--bot", "shop");
    const { conversationId } = await cli.converse("shop", [WROTE]);
    await run("conversation", "delete", conversationId);
    await cli.converse("shop", [WROTE]);
    await run("conversation", "delete", "--matching", WROTE, "--yes");
    await run("token", "revoke", token);
    const db = new Sqlite(join(cli.data, "parley.db"));
    const kept = JSON.stringify(db.prepare("SELECT * FROM changes").all());
    db.close();
    expect(kept).toContain(conversationId);
    expect(kept).not.toContain(token);
    expect(kept).not.toContain("canary");
  }, 120_000);

  test("shows what was before and after, for reading", async () => {
    await seedShop();
    await seedShop({ name: "Store", allowedDomains: ["shop.example"], monthlyMessageCap: 100 });
    expect(await run("audit", "changes", "--limit", "1")).toBe(
      [
        "bot.updated shop  2026-11-21T12:00:00.000Z  by ann with `seed`",
        "  version: 1 → 2",
        "  name: Shop → Store",
        "  allowedDomains: - *",
        "  allowedDomains: + shop.example",
        "  monthlyMessageCap: nothing → 100",
      ].join("\n"),
    );
  });

  test("goes on page by page, and finds what concerns a bot that is gone", async () => {
    await cli.seed("acme", "other");
    await run("bot", "delete", "acme", "--yes");
    expect((await changes("--bot", "acme")).map(({ what }) => what)).toEqual(["bot.deleted", "bot.created"]);
    const first = JSON.parse(await run("audit", "changes", "--limit", "2", "--json")) as ChangePage;
    const rest = await changes("--before", String(first.next));
    expect([...first.changes, ...rest]).toEqual(await changes());
    expect(rest.map(({ subject }) => subject)).toEqual(["acme"]);
  });

  test("says so where nothing was changed", async () => {
    await cli.seed("acme");
    const { stdout, stderr } = await cli.run(["audit", "changes", "--bot", "nobody"]);
    expect({ stdout, stderr }).toEqual({ stdout: "", stderr: "no change meets these options\n" });
  });
});

test("`--before` takes the number of any change, however many there were", async () => {
  await seedShop();
  const { stdout, exitCode } = await cli.run(["audit", "changes", "--json", "--before", "2000000"]);
  expect({ changes: (JSON.parse(stdout) as ChangePage).changes.length, exitCode }).toEqual({
    changes: 1,
    exitCode: 0,
  });
});
