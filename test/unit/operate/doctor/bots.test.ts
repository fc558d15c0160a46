import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { intentModelIdOf } from "../../../../src/bots/training.ts";
import { loadConfig } from "../../../../src/config/config.ts";
import type { BotId } from "../../../../src/domain/ids.ts";
import { SecretUrl } from "../../../../src/domain/secret-url.ts";
import { type BotCircumstances, examineBots, judgeBots } from "../../../../src/operate/doctor/bots.ts";
import { Sqlite } from "../../../../src/store/sqlite/driver.ts";
import { Inspection } from "../../../../src/store/sqlite/inspection.ts";
import { SqliteStore } from "../../../../src/store/sqlite/sqlite-store.ts";
import { botWith, type WrittenFields } from "../../../support/bots.ts";

const webhooks = {
  crm: { url: new SecretUrl("https://crm.example/"), secretEnv: "CRM", bots: ["a" as BotId] },
};

const NOW = Date.UTC(2026, 10, 22);

/** A bot that can answer, but for `fields`. */
function circumstances(fields: WrittenFields = {}, others: object = {}) {
  const document = botWith({
    allowedDomains: ["example.com"],
    intents: [{ name: "hours", examples: ["when are you open"] }],
    ...fields,
  });
  const bot = { id: document.id, document, intentModelId: intentModelIdOf(document) };
  const bundles = { cdnUrl: "https://chat.example/cdn", templateOrigins: ["https://assets.example"] };
  return { bot, messagesThisMonth: 0, hasToken: true, servers: ["local"], endpoints: {}, bundles, ...others };
}

describe("a bot", () => {
  test("that lacks nothing is not mentioned", () => {
    expect(judgeBots([circumstances()])).toEqual([]);
  });

  test.each<[string, BotCircumstances, string, string]>([
    ["that may stand nowhere", circumstances({ allowedDomains: [] }), "mend", "`allowedDomains` is empty"],
    ["without intents", circumstances({ intents: [] }), "mend", "nothing is understood"],
    [
      "whose intents have no examples",
      circumstances({ intents: [{ name: "a" }] }),
      "mend",
      "nothing is understood",
    ],
    ["without a token", circumstances({}, { hasToken: false }), "mend", "no valid embed token"],
    [
      "that used up its cap",
      circumstances({ monthlyMessageCap: 10 }, { messagesThisMonth: 10 }),
      "mend",
      "`monthlyMessageCap` is used up",
    ],
    [
      "that asks a server which is not configured",
      circumstances({ responder: { kind: "model", models: ["big"] } }),
      "mend",
      "model servers",
    ],
    [
      "that asks a model where no server is configured",
      circumstances({ responder: { kind: "model" } }, { servers: [] }),
      "mend",
      "model servers",
    ],
    [
      "that an earlier version took with hours of no time zone",
      circumstances({ handoff: { hours: { timezone: "Berlin", open: ["Mo-Fr 09:00-17:00"] } } }),
      "mend",
      "`handoff.hours.timezone` is not a time zone",
    ],
    [
      "that is not trained",
      { ...circumstances(), bot: { ...circumstances().bot, intentModelId: undefined } },
      "hint",
      "not trained",
    ],
  ])("%s is", (_, of, severity, message) => {
    const findings = judgeBots([of]);
    expect(findings.map((finding) => finding.severity)).toEqual([severity as "mend"]);
    expect(findings[0]!.message).toStartWith("`acme`: ");
    expect(findings[0]!.message).toContain(message);
  });

  test("of quickstart, whose endpoints quickstart starts, is nothing to mend while it runs", () => {
    const action = { endpoint: "orders", path: "/", failure: "No.", answers: [{ say: "Yes." }] };
    const intents = [{ name: "orders", examples: ["where is my order"], action }];
    const judge = (others: object) => judgeBots([circumstances({ intents }, others)]);
    expect(judge({ isSample: true })).toMatchObject([
      { severity: "hint", message: expect.stringContaining("`parley quickstart` starts itself") },
    ]);
    expect(judge({})).toMatchObject([
      {
        severity: "mend",
        message: expect.stringContaining("call endpoints that these settings do not name"),
      },
    ]);
  });

  test("whose template runs a script from elsewhere is named, with the setting that allows it", () => {
    const from = (bundleUrl: string) => circumstances({ template: { id: "t", bundleUrl } });
    const [finding] = judgeBots([from("https://evil.example/x.js")]);
    expect(finding).toMatchObject({
      severity: "mend",
      check: "bots",
      message: expect.stringContaining("`template.bundleUrl` runs a script from elsewhere"),
      cure: expect.stringContaining("--template-origins"),
    });
    const own = ["templates/x.js", "https://chat.example/other/x.js", "https://assets.example/x.js"];
    expect(judgeBots(own.map(from))).toEqual([]);
  });

  test("with a default intent, or whose server is configured, is not mentioned", () => {
    const byDefault = circumstances({ intents: [{ name: "a", responses: ["A."] }], defaultIntent: "a" });
    const byModel = circumstances({ responder: { kind: "model", models: ["local"] } });
    expect(judgeBots([byDefault, byModel])).toEqual([]);
  });
});

describe("in a database", () => {
  let folder: string;
  beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), "parley-doctor-"))));
  afterEach(() => rmSync(folder, { recursive: true }));

  async function examineAfter(fill: (store: SqliteStore) => unknown) {
    const store = new SqliteStore({ dataDir: folder, now: () => NOW, busyTimeoutMs: 1000 });
    await fill(store);
    await store[Symbol.asyncDispose]();
    using database = new Inspection(join(folder, "parley.db"), () => NOW);
    const config = loadConfig({ flags: {}, env: {}, readFile: () => "" });
    return await examineBots(database, { ...config, webhooks }, NOW);
  }

  const seed = (store: SqliteStore, ...ids: string[]) =>
    store.bots.seed(
      ids.map((id) => botWith({ id, allowedDomains: ["example.com"] })),
      { prune: false, dryRun: false },
    );

  test("without bots, that is said", async () => {
    expect(await examineAfter(() => {})).toMatchObject([
      { severity: "mend", message: "there are no bots" },
      { check: "webhooks", severity: "mend" },
    ]);
  });

  test("a deleted bot is named while something of it is still to be erased, with what goes on with it", async () => {
    const findings = await examineAfter(async (store) => {
      await seed(store, "gone");
      await store.bots.delete("gone");
    });
    expect(findings).toContainEqual({
      check: "bots",
      severity: "hint",
      message: "`gone`: deleted, and 0 of its conversations are still to be erased",
      cure: "a running server does it; where none runs, `parley bot delete gone`",
    });
  });

  test("disabled bots are named once, and asked for nothing else", async () => {
    const ids = ["a", "b", "c", "d", "e", "f", "g"];
    const findings = await examineAfter(async (store) => {
      await seed(store, ...ids);
      for (const id of ids) await store.bots.setEnabled(id, false);
    });
    const message = "`a`, `b`, `c`, `d`, `e` and 2 more: disabled, and not found by visitors";
    expect(findings).toMatchObject([{ severity: "hint", message }]);
  });

  test("a record that cannot be read hides none of the others", async () => {
    await examineAfter((store) => seed(store, "a", "b"));
    const db = new Sqlite(join(folder, "parley.db"));
    db.prepare("UPDATE bot_versions SET document = '{}' WHERE bot_key = 1").run();
    db.close();
    const findings = await examineAfter(() => {});
    expect(findings[0]).toMatchObject({ severity: "broken" });
    expect(findings[0]!.message).toContain("bot `a`");
    expect(findings.slice(1).every(({ message }) => message.startsWith("`b`: "))).toBe(true);
    expect(findings.length).toBeGreaterThan(1);
  });
});
