import { afterEach, beforeEach, describe, expect, test } from "bun:test";

import type { Actor } from "../../../../src/domain/change.ts";
import { type BotId, newEmbedTokenId, secureRandomBytes } from "../../../../src/domain/ids.ts";
import { Sqlite } from "../../../../src/store/sqlite/driver.ts";
import { SqliteStore } from "../../../../src/store/sqlite/sqlite-store.ts";
import { shopBot } from "../../../support/bots.ts";
import { FilledFolder } from "../../../support/databases.ts";

const START = Date.UTC(2026, 10, 30, 12);
const HOUR_MS = 60 * 60 * 1000;
const BY: Actor = { kind: "user", name: "ann", command: "seed" };
const SEED = { prune: false, dryRun: false };

let folder: FilledFolder;
let store: SqliteStore;
let clock: number;
beforeEach(() => {
  folder = new FilledFolder();
  clock = START;
  store = open();
});
afterEach(async () => {
  await store[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

const open = (by: Actor = BY) =>
  new SqliteStore({ dataDir: folder.dataDir, now: () => clock, busyTimeoutMs: 1000, by });

const listed = async () =>
  (await store.changes.list({ limit: 100 })).map(({ kind, subject }) => `${kind} ${subject}`);

async function issueToken(): Promise<string> {
  const id = newEmbedTokenId(clock, secureRandomBytes);
  await store.embedTokens.create({ id, hash: secureRandomBytes(32), botIds: ["shop" as BotId] });
  return id;
}

/** Every table, read by a connection of its own, but for the index of free keys. */
function rows(): unknown {
  const db = new Sqlite(folder.database, { readonly: true });
  const tables = [
    "monthly_usage",
    "bot_rows",
    "bot_versions",
    "embed_tokens",
    "conversations",
    "changes",
    "clock",
    "registry",
    "server_starts",
  ];
  const all = tables.map((table) => db.prepare(`SELECT * FROM ${table}`).raw().all());
  db.close();
  return all;
}

describe("a change", () => {
  test("tells when, who, by which command, and what was before and after", async () => {
    await store.bots.seed([shopBot()], SEED);
    clock += HOUR_MS;
    await store.bots.seed([{ ...shopBot(), name: "Store", enabled: false }], SEED);
    const [change] = await store.changes.list({ limit: 1 });
    expect(change).toEqual({
      key: 2,
      at: START + HOUR_MS,
      by: BY,
      kind: "bot.updated",
      subject: "shop",
      bots: ["shop" as BotId],
      fields: [
        { field: "version", before: 1, after: 2 },
        { field: "enabled", before: true, after: false },
        { field: "name", before: "Shop", after: "Store" },
      ],
      omittedFields: 0,
    });
  });

  test("is no change where nothing changes, nor in a dry run", async () => {
    await store.bots.seed([shopBot()], SEED);
    await store.bots.seed([shopBot()], SEED);
    await store.bots.seed([{ ...shopBot(), name: "Store" }], { ...SEED, dryRun: true });
    await store.bots.setEnabled("shop", true);
    await store.bots.delete("nobody");
    const token = await issueToken();
    await store.embedTokens.revoke(token);
    await store.embedTokens.revoke(token);
    await store.erasure.erase([{ id: "cv_nothing" }], {});
    expect(await listed()).toEqual([`token.revoked ${token}`, `token.issued ${token}`, "bot.created shop"]);
  });

  test("of a bot that is deleted keeps what the bot was, and how much went with it", async () => {
    await store[Symbol.asyncDispose]();
    await folder.fill("one", "two");
    store = open();
    await store.bots.delete("shop");
    const [change] = await store.changes.list({ limit: 1 });
    expect(change).toMatchObject({ kind: "bot.deleted", subject: "shop", bots: ["shop"] });
    expect(change!.fields).toContainEqual({ field: "conversations", before: 1, after: 0 });
    expect(change!.fields).toContainEqual({ field: "name", before: "Shop" });
    expect(change!.fields).toContainEqual({ field: "allowedDomains", before: ["*"] });
  });

  test("is found by a bot that is gone, by its time, and page by page", async () => {
    await store.bots.seed([shopBot(), { ...shopBot(), id: "other" as BotId }], SEED);
    const token = await issueToken();
    clock += HOUR_MS;
    await store.bots.delete("shop");
    const find = async (filter: object) =>
      (await store.changes.list({ limit: 100, ...filter })).map(({ kind, subject }) => `${kind} ${subject}`);
    expect(await find({ bot: "shop" })).toEqual([
      "bot.deleted shop",
      `token.issued ${token}`,
      "bot.created shop",
    ]);
    expect(await find({ since: clock })).toEqual(["bot.deleted shop"]);
    expect(await find({ limit: 2 })).toEqual(["bot.deleted shop", `token.issued ${token}`]);
    expect(await find({ before: 3 })).toEqual(["bot.created other", "bot.created shop"]);
  });

  test("is never edited and never deleted", async () => {
    await store.bots.seed([shopBot()], SEED);
    const db = new Sqlite(folder.database);
    expect(() => db.exec("UPDATE changes SET actor_name = 'somebody else'")).toThrow(
      "changes are never edited",
    );
    expect(() => db.exec("DELETE FROM changes")).toThrow("changes are never deleted");
    db.close();
    expect((await store.changes.list({ limit: 1 }))[0]!.by).toEqual(BY);
  });

  test("of a clock that is confirmed tells from when to when", async () => {
    await store.confirmClock(START);
    await store.confirmClock(START + HOUR_MS);
    expect((await store.changes.list({ limit: 1 }))[0]).toMatchObject({
      kind: "clock.confirmed",
      fields: [
        { field: "lastRightAt", before: "2026-11-30T12:00:00.000Z", after: "2026-11-30T13:00:00.000Z" },
      ],
    });
  });
});

describe("what cannot be recorded is not done", () => {
  const ATTEMPTS: [string, (token: string) => unknown][] = [
    ["creating a bot", () => store.bots.seed([{ ...shopBot(), id: "new" as BotId }], SEED)],
    ["updating a bot", () => store.bots.seed([{ ...shopBot(), name: "Store" }], SEED)],
    ["disabling a bot", () => store.bots.setEnabled("shop", false)],
    ["deleting a bot", () => store.bots.delete("shop")],
    ["pruning a bot", () => store.bots.seed([], { ...SEED, prune: true })],
    ["issuing a token", () => issueToken()],
    ["revoking a token", (token) => store.embedTokens.revoke(token)],
    ["deleting a conversation", () => store.erasure.erase([{ id: "cv_1" }], {})],
    [
      "counting tokens from zero",
      async () => store.usage.resetTokens((await store.bots.find("shop"))!.key, Date.now()),
    ],
    ["confirming the clock", () => store.confirmClock(clock)],
    ["expiry", () => store.deleteExpired(clock, Number.MAX_SAFE_INTEGER)],
    ["a start with other settings", () => store.noteStart({ port: 1 })],
  ];

  test.each(ATTEMPTS)("%s", async (_, attempt) => {
    await store[Symbol.asyncDispose]();
    await folder.fill("hello");
    store = open();
    const token = (await store.embedTokens.list())[0]!.id;
    const db = new Sqlite(folder.database);
    db.exec("CREATE TRIGGER full BEFORE INSERT ON changes BEGIN SELECT RAISE(ABORT, 'no room'); END");
    const before = rows();
    await expect((async () => attempt(token))()).rejects.toThrow("no room");
    expect(rows()).toEqual(before);
    db.exec("DROP TRIGGER full");
    db.close();
    await attempt(token);
    expect(rows()).not.toEqual(before);
  });
});

describe("what a server does by itself", () => {
  test("conversations that expire are one row a day, with their number", async () => {
    await store[Symbol.asyncDispose]();
    for (const day of [1, 2]) {
      clock = START + day * 24 * HOUR_MS;
      for (const _ of [1, 2]) {
        await folder.fill("hello");
        await using server = open({ kind: "server", name: "parley", command: "serve" });
        await server.deleteExpired(clock, Number.MAX_SAFE_INTEGER);
      }
    }
    store = open();
    const expired = (await store.changes.list({ limit: 100 })).filter(
      ({ kind }) => kind === "conversations.expired",
    );
    expect(expired.map(({ subject, by, fields }) => ({ subject, by: by.kind, fields }))).toEqual(
      ["2026-12-02", "2026-12-01"].map((subject) => ({
        subject,
        by: "server" as const,
        fields: [{ field: "conversations", before: 2, after: 0 }],
      })),
    );
  });

  test("a start counts, and is a change where its settings are others than before", async () => {
    const starts = [];
    for (const port of [1, 1, 2]) starts.push(await store.noteStart({ port, host: "::1" }));
    expect(starts).toEqual([1, 2, 3]);
    const changes = await store.changes.list({ limit: 100 });
    expect(changes.map(({ kind, fields }) => ({ kind, fields }))).toEqual([
      { kind: "server.settings", fields: [{ field: "port", before: 1, after: 2 }] },
      {
        kind: "server.settings",
        fields: [
          { field: "port", after: 1 },
          { field: "host", after: "::1" },
        ],
      },
    ]);
  });
});
