import { afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";

import { SQL } from "bun";

import { parseStoreAddress } from "../../../../src/config/store-address.ts";
import type {
  BotId,
  ConversationId,
  EmbedTokenId,
  IntentName,
  RequestId,
} from "../../../../src/domain/ids.ts";
import type { CopiedTable } from "../../../../src/store/copy/catalogue.ts";
import { type Copied, copyToPostgres, type CopyOptions } from "../../../../src/store/copy/copy.ts";
import { SqliteSide } from "../../../../src/store/copy/sqlite-side.ts";
import type { BotKey } from "../../../../src/store/interface/bots.ts";
import type { Store } from "../../../../src/store/interface/store.ts";
import { LATEST_SCHEMA as LATEST_POSTGRES_SCHEMA } from "../../../../src/store/postgres/migrate.ts";
import { PostgresStore } from "../../../../src/store/postgres/postgres-store.ts";
import { Sqlite } from "../../../../src/store/sqlite/driver.ts";
import { FolderClaim } from "../../../../src/store/sqlite/folder-claim.ts";
import { shopBot } from "../../../support/bots.ts";
import { readPlan } from "../../../support/copies.ts";
import { FilledFolder } from "../../../support/databases.ts";
import { HOSTILE_TEXTS } from "../../../support/hostile-texts.ts";
import { whyNoPostgres } from "../../../support/postgres-server.ts";
import { PostgresStores } from "../../../support/postgres-stores.ts";
import { TcpProxy } from "../../../support/tcp-proxy.ts";
import { turnWith } from "../../../support/turns.ts";

const CONVERSATIONS = 40;
/** More than a batch, and not whole batches. */
const MANY_TURNS = 12_345;
const KILLS = 5;
/** A batch takes about as long, so that some cuts come in the middle of one. */
const BATCH_MS = 25;
/** All kills together come before the end, a few batches late as they may be. */
const MAX_ROWS_BEFORE_KILL = 1200;
/** What array literals, JSON and SQL give a meaning to. */
const AWKWARD = [
  "{a,b}",
  "NULL",
  String.raw`\ " ' \\u0000 {"a":"\n"}`,
  "",
  "line\nline\r\ttab",
  "🙂 é ß 中",
  "$1",
];
/** A character 0 is a test of its own. */
const INPUTS = [...AWKWARD, ...HOSTILE_TEXTS].filter((text) => !text.includes("\0"));
const MAIN = join(import.meta.dir, "../../../../src/main.ts");

describe.skipIf(whyNoPostgres !== undefined)("a copy of a data folder", () => {
  let folder: FilledFolder;
  let stores: PostgresStores;
  let tables: CopiedTable[];
  beforeAll(async () => {
    tables = await readPlan();
  });
  beforeEach(async () => {
    folder = new FilledFolder();
    await folder.fill(...INPUTS);
    stores = await PostgresStores.create({ isEmpty: true });
  });
  afterEach(async () => {
    await stores[Symbol.asyncDispose]();
    folder[Symbol.dispose]();
  });

  function copy(options: Partial<CopyOptions> = {}): Promise<Copied> {
    const { address } = stores;
    const by = { kind: "user", name: "ann", command: "copy" } as const;
    return copyToPostgres({ dataDir: folder.dataDir, address, now: Date.now, by, ...options });
  }

  /** Stops when `most` rows are copied, at the next end of a batch. */
  async function copyPartOf(most: number): Promise<void> {
    const stopping = new AbortController();
    let total = 0;
    const onCopy = (stage: string, share: number) => {
      if (stage === "checking" || share * total >= most) stopping.abort();
    };
    total = countRows();
    await expect(copy({ onCopy, signal: stopping.signal })).rejects.toThrow("abort");
  }

  function countRows(): number {
    const db = new Sqlite(folder.database);
    const side = new SqliteSide(db, { isSource: true });
    const counts = tables.map((table) => side.count(table));
    db.close();
    return counts.reduce((sum, count) => sum + count, 0);
  }

  async function run<Row>(statement: string): Promise<Row[]> {
    await using sql = new SQL(stores.url, { max: 1 });
    return (await sql.unsafe(statement)) as Row[];
  }

  function inSource(...statements: string[]): void {
    const db = new Sqlite(folder.database);
    for (const statement of statements) db.exec(statement);
    db.close();
  }

  /** Turns of many conversations, in turn, as fast as SQLite takes them. */
  function addManyTurns(): void {
    inSource(
      `WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < ${CONVERSATIONS})
       INSERT INTO conversations (id, bot_key, created_at) SELECT 'cv_many_' || n, 1, 1000 + n FROM n`,
      `WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < ${MANY_TURNS})
       INSERT INTO turns (request_id, conversation_key, bot_version, state, at, input, response, capability_allowed,
         schema_enforced, schema_fallback_used, receipt)
       SELECT 'rq_many_' || n, (SELECT key FROM conversations WHERE id = 'cv_many_' || (1 + n % ${CONVERSATIONS})),
         1, 'complete', 1000 + n, 'message ' || n, 'answer', n % 2, 0, 0,
         (SELECT receipt FROM turns LIMIT 1) FROM n`,
    );
  }

  test("takes a table that both stores have, whatever it is called, and the numbers of its rows", async () => {
    const store = await stores.open();
    await store[Symbol.asyncDispose]();
    await run(
      `CREATE TABLE tomorrow (key bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY, request_id text REFERENCES turns (request_id),
         is_new boolean NOT NULL, at bigint, hash bytea)`,
    );
    inSource(
      "CREATE TABLE tomorrow (key INTEGER PRIMARY KEY AUTOINCREMENT, turn_key INTEGER, is_new INTEGER NOT NULL, at INTEGER, hash BLOB) STRICT",
      "INSERT INTO tomorrow (key, turn_key, is_new, at, hash) SELECT 6 + key, key, 1, 9007199254740991, x'00ff' FROM turns LIMIT 1",
      "INSERT INTO tomorrow (is_new) VALUES (0), (1)",
      "DELETE FROM tomorrow WHERE key = 9",
    );
    expect((await copy()).rows["tomorrow"]).toBe(2);
    const said = `rq_0_${INPUTS[0]}`;
    expect(await run("SELECT key, request_id, is_new, at, hash FROM tomorrow ORDER BY key")).toEqual([
      { key: "7", request_id: said, is_new: true, at: "9007199254740991", hash: Buffer.from([0, 255]) },
      { key: "8", request_id: null, is_new: false, at: null, hash: null },
    ]);
    expect(await run("INSERT INTO tomorrow (is_new) VALUES (true) RETURNING key")).toEqual([{ key: "10" }]);
  });

  test.each([
    ["a table of the folder's", "CREATE TABLE other (key INTEGER PRIMARY KEY) STRICT", "", "table", "other"],
    ["a table of PostgreSQL's", "", "CREATE TABLE other (key bigint PRIMARY KEY)", "table", "other"],
    [
      "a column of the folder's",
      "ALTER TABLE bot_rows ADD COLUMN other TEXT",
      "",
      "column",
      "bot_rows.other",
    ],
    [
      "a column of PostgreSQL's",
      "",
      "ALTER TABLE bot_rows ADD COLUMN other text",
      "column",
      "bot_rows.other",
    ],
    [
      "a column of another type",
      "ALTER TABLE bot_rows ADD COLUMN other TEXT",
      "ALTER TABLE bot_rows ADD COLUMN other bigint",
      "column",
      "bot_rows.other",
    ],
  ])("never leaves out %s: it is refused by name", async (_, sqlite, postgres, kind, name) => {
    const store = await stores.open();
    await store[Symbol.asyncDispose]();
    if (sqlite !== "") inSource(sqlite);
    if (postgres !== "") await run(postgres);
    await expect(copy()).rejects.toThrow(`a ${kind} that \`copy\` does not know: ${name};`);
  });

  test("answers as the folder did: bots, models, tokens, conversations, usage, keys, vectors, changes, clock", async () => {
    const key = await fillMore(folder);
    const before = await readFolder(folder, (store) => answersOf(store, key));
    const { rows, mendedTexts } = await copy();
    expect(rows).toMatchObject({ bots: 2, embed_tokens: 2, conversations: 2, idempotency_records: 1 });
    expect(mendedTexts).toBe(0);
    const store = await stores.open();
    const after = await answersOf(store, key);
    expect(after.changes.shift()).toMatchObject({
      kind: "database.copied",
      by: { name: "ann", command: "copy" },
    });
    expect(after).toEqual(before);
    expect(after.turns).toHaveLength(INPUTS.length + 2);
  });

  test("goes on with keys that were never given", async () => {
    await readFolder(folder, async ({ bots }) => {
      await bots.seed([shopBot(), shopBot({ id: "gone" })], { prune: false, dryRun: false });
      await bots.delete("gone");
    });
    await copy();
    const store = await stores.open();
    await store.bots.seed([shopBot(), shopBot({ id: "new" })], { prune: false, dryRun: false });
    expect((await store.bots.find("new"))!.key).toBe(3 as BotKey);
    const hash = new Uint8Array(32).fill(7);
    await store.embedTokens.create({ id: "et_new" as EmbedTokenId, hash, botIds: ["new" as BotId] });
    expect((await store.embedTokens.list()).map(({ id }) => id)).toContain("et_new" as EmbedTokenId);
    expect((await store.changes.list({ limit: 1 }))[0]).toMatchObject({ kind: "token.issued" });
  });

  test("gives back what a killed server left unfinished, in the folder as a start does", async () => {
    await copy();
    const store = await stores.open();
    const { key } = (await store.bots.find("shop"))!;
    expect(await store.usage.read(key, Date.now())).toBe(INPUTS.length);
    expect(
      await run(
        "SELECT 1 FROM turns_in_flight UNION ALL SELECT 1 FROM instances UNION ALL SELECT 1 FROM asset_files",
      ),
    ).toEqual([]);
    await using again = folder.openStore();
    expect(await again.usage.read(key, Date.now())).toBe(INPUTS.length);
  });

  test("awaits the counting of what the folder had not counted, and of nothing else", async () => {
    const counted = await readFolder(
      folder,
      async ({ analytics }) => (await analytics.countTurns(5)).counted,
    );
    expect(counted).toBe(5);
    await copy();
    const store = await stores.open();
    const { left, share } = await store.analytics.countingState();
    expect(left).toBe(INPUTS.length + 1 - counted);
    expect(share).toBeLessThan(1);
    while ((await store.analytics.countTurns(100)).mayGoOn);
    expect(await store.analytics.countingState()).toMatchObject({ left: 0, share: 1 });
    expect(await run("SELECT count(*)::int4 AS turns FROM counted_turns")).toEqual([
      { turns: INPUTS.length + 1 },
    ]);
  });

  test("has U+FFFD where a text held a character 0, and says how many", async () => {
    const receipt = String.raw`json_set(receipt, '$.note', 'a' || char(0) || 'b \u0000')`;
    inSource(
      `UPDATE turns SET input = 'a' || char(0) || 'b', receipt = ${receipt} WHERE request_id = 'rq_begun'`,
    );
    expect((await copy()).mendedTexts).toBe(2);
    const [turn] = await run<{ input: string; note: string }>(
      "SELECT input, receipt::json ->> 'note' AS note FROM turns WHERE request_id = 'rq_begun'",
    );
    expect(turn).toEqual({ input: "a\uFFFDb", note: String.raw`a${"\uFFFD"}b \u0000` });
  });

  test("that is killed at random places goes on where it was, and nothing is there twice", async () => {
    addManyTurns();
    for (let kills = 0; kills < KILLS; kills += 1)
      await killCopyAfter(1 + Math.floor(Math.random() * MAX_ROWS_BEFORE_KILL));
    const { rows } = await copy();
    expect(rows["turns"]).toBe(MANY_TURNS + INPUTS.length + 1);
    const [sums] = await run<{ turns: number; last: number }>(
      "SELECT count(*)::int AS turns, max(number)::int AS last FROM turns WHERE conversation_id = 'cv_many_2'",
    );
    expect(sums!.last).toBe(sums!.turns);
    const [unordered] = await run<{ turns: number }>(
      "SELECT count(*)::int AS turns FROM turns AS a JOIN turns AS b USING (conversation_id) WHERE a.number < b.number AND a.at > b.at",
    );
    expect(unordered!.turns).toBe(0);
  }, 120_000);

  /** Runs the command in a process of its own until so many more rows are copied. */
  async function killCopyAfter(more: number): Promise<void> {
    const env = { ...process.env, PARLEY_STORE: stores.url };
    const place = (await countCopied()) + more;
    const child = Bun.spawn([process.execPath, MAIN, "copy", "--from", folder.dataDir], {
      env,
      stderr: "pipe",
    });
    while (child.exitCode === null && (await countCopied()) < place) await Bun.sleep(1);
    child.kill("SIGKILL");
    await child.exited;
    expect(child.signalCode, await new Response(child.stderr).text()).toBe("SIGKILL");
  }

  async function countCopied(): Promise<number> {
    const [begun] = await run("SELECT 1 FROM pg_tables WHERE tablename = 'parley_copy'");
    if (!begun) return 0;
    const [state] = await run<{ rows: string }>("SELECT rows FROM parley_copy");
    return Number(state!.rows);
  }

  test("whose connections are cut at any moment goes on, by itself or with the same command", async () => {
    addManyTurns();
    await using proxy = await TcpProxy.start(Number(new URL(stores.url).port));
    const url = new URL(stores.url);
    url.port = String(proxy.port);
    const address = parseStoreAddress(url.href);
    let cuts = 0;
    const onCopy = (stage: string) => {
      if (stage !== "copying" || Math.random() > 0.3) return;
      cuts += 1;
      setTimeout(() => proxy.cut(), Math.random() * BATCH_MS);
    };
    let copied: Copied | undefined;
    while (!copied) copied = await copy({ address, onCopy }).catch(expectLoss);
    expect(cuts).toBeGreaterThan(0);
    expect(copied.rows["turns"]).toBe(MANY_TURNS + INPUTS.length + 1);
  }, 120_000);

  function expectLoss(error: Error): undefined {
    expect(error.message).toMatch(/the same command continues where it stopped|^cannot use postgres/);
  }

  test("that is not finished is opened by nobody", async () => {
    addManyTurns();
    await copyPartOf(2000);
    await expect(stores.open()).rejects.toThrow(
      /holds a copy that is not finished; run the same `parley copy` again/,
    );
    await copy();
    expect(await (await stores.open()).bots.list()).toHaveLength(1);
  });

  test("is not gone on with from another folder, nor from one that was used again", async () => {
    addManyTurns();
    await copyPartOf(2000);
    using other = new FilledFolder();
    await other.fill("hello");
    const message = /unfinished copy of another data folder, or of this one before it was used again/;
    await expect(copy({ dataDir: other.dataDir })).rejects.toThrow(message);
    await readFolder(folder, (store) => store.noteStart({ version: "2" }));
    await expect(copy()).rejects.toThrow(message);
  });

  test.each([
    ["was changed", "turns", "UPDATE turns SET response = response || ' ' WHERE request_id = 'rq_many_7'"],
    ["is missing", "turns", "DELETE FROM turns WHERE request_id = 'rq_many_9'"],
    [
      "has changed places",
      "turns",
      "UPDATE turns SET number = number + 1000 WHERE request_id = 'rq_many_11'",
    ],
    ["counts more", "monthly_usage", "UPDATE monthly_usage SET messages = messages + 1"],
    ["has another model", "intent_models", String.raw`UPDATE intent_models SET bytes = '\x010204'`],
    ["is allowed more", "embed_token_bots", "DELETE FROM embed_token_bots"],
    ["was left by a server", "a server has used the copy", "INSERT INTO instances VALUES ('in_1', 1, 1)"],
  ])("is found to differ where a row %s, and stays shut", async (_, place, doctoring) => {
    addManyTurns();
    const total = countRows();
    let isDoctored = false;
    const onCopy = (stage: string, share: number) => {
      // When all is copied, and nothing is compared yet.
      if (stage === "copying" && share * total >= total - 1) isDoctored = true;
    };
    await expect(copy({ onCopy: (...step) => (onCopy(...step), isDoctored && stopHere()) })).rejects.toThrow(
      "here",
    );
    await run(doctoring);
    const error = (await copy().catch((thrown: unknown) => thrown)) as Error;
    expect(error.message).toContain("the copy differs from the data folder, and no server takes it");
    expect(error.message.split("\n")[1]).toStartWith(place);
    expect(error.message.split("\n")).toHaveLength(3);
    await expect(stores.open()).rejects.toThrow("not finished");
  });

  function stopHere(): void {
    throw new Error("here");
  }

  test("is refused while a server runs on the folder", async () => {
    await using served = folder.openStore();
    await served.giveBackUnfinished();
    await expect(copy()).rejects.toThrow(`a server runs on ${folder.dataDir}; stop it, and try again`);
  });

  test("keeps servers and commands from the folder while it runs", async () => {
    const claims: boolean[] = [];
    const writes: unknown[] = [];
    await copy({
      onCopy() {
        const claim = new FolderClaim(join(folder.dataDir, "parley.lock"));
        claims.push(claim.share());
        claim.close();
        writes.push(writeNow());
      },
    });
    expect(new Set(claims)).toEqual(new Set([false]));
    expect(new Set(writes)).toEqual(new Set(["SQLITE_BUSY"]));
    await using again = folder.openStore();
    expect(await again.giveBackUnfinished()).toBe(0);
  });

  function writeNow(): unknown {
    const db = new Sqlite(folder.database, { timeout: 0 });
    try {
      return db.exec("UPDATE bot_rows SET enabled = 0");
    } catch (error) {
      return (error as { code: string }).code;
    } finally {
      db.close();
    }
  }

  test("brings an older folder up to date, with a copy of what it was, and refuses a newer one", async () => {
    /** Before deliveries of a bot, and counted ratings. */
    const older = 14;
    inSource(
      "ALTER TABLE turns DROP COLUMN standalone",
      "ALTER TABLE turns DROP COLUMN action",
      "DROP TABLE actions",
      "DROP TABLE failed_proofs",
      "ALTER TABLE turns DROP COLUMN subject",
      "ALTER TABLE instances DROP COLUMN encoder",
      "DROP TABLE passage_vectors",
      "DROP TABLE sentence_models",
      "DROP TABLE encoders",
      "CREATE TABLE sentence_models (intent_model INTEGER PRIMARY KEY, bytes BLOB NOT NULL) STRICT",
      "ALTER TABLE instances DROP COLUMN asset_build",
      "DROP TABLE asset_files",
      "DROP TABLE asset_contents",
      "DROP TABLE asset_builds",
      "ALTER TABLE operator_sessions DROP COLUMN made_by_key",
      "ALTER TABLE sign_in_links DROP COLUMN made_by_key",
      "ALTER TABLE operator_keys DROP COLUMN made_by_key",
      "DROP VIEW bots",
      "DROP INDEX bot_rows_deleted",
      "ALTER TABLE bot_rows DROP COLUMN deleted_as",
      "ALTER TABLE bot_rows RENAME TO bots",
      "DROP TABLE handoff_keys",
      "DROP TABLE event_starts",
      "ALTER TABLE monthly_usage DROP COLUMN told_cap",
      "DROP TABLE deliveries",
      `CREATE TABLE deliveries (
         key INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, channel TEXT NOT NULL, target TEXT NOT NULL, event TEXT NOT NULL,
         conversation_key INTEGER NOT NULL REFERENCES conversations (key) ON DELETE CASCADE, subject TEXT NOT NULL, state TEXT NOT NULL,
         attempts INTEGER NOT NULL, created_at INTEGER NOT NULL, next_at INTEGER, ended_at INTEGER, error TEXT) STRICT`,
      `INSERT INTO deliveries (id, channel, target, event, conversation_key, subject, state, attempts, created_at, next_at)
       SELECT 'dl_old', 'webhook', 'crm', 'feedback.given', key, 'rq_1', 'waiting', 1, 1, 1 FROM conversations LIMIT 1`,
      "DROP INDEX ratings_to_count",
      "DROP INDEX counted_turns_by_rating",
      "DROP TABLE rating_counts",
      "ALTER TABLE ratings DROP COLUMN counted_as",
      "ALTER TABLE counted_turns DROP COLUMN rating",
      `PRAGMA user_version = ${older}`,
    );
    await copy();
    const kept = readdirSync(folder.dataDir).filter((name) => name.startsWith(`parley.db.v${older}.`));
    expect(kept).toHaveLength(1);
    const store = await stores.open();
    expect(await store.bots.list()).toHaveLength(1);
    expect(await store.outbox.list({ limit: 2 })).toMatchObject([{ id: "dl_old", attempts: 1 }]);
    inSource("PRAGMA user_version = 99");
    await expect(copy()).rejects.toThrow("was written by a newer Parley (schema 99");
  });

  test("brings operators and their keys, and the next ones get keys of their own", async () => {
    await copy();
    const store = await stores.open();
    expect(await store.operators.find("ANN")).toMatchObject({
      name: "ann",
      role: "owner",
      passwordHash: "$argon2id$",
    });
    expect(await store.operatorKeys.list()).toMatchObject([{ label: "nightly", permissions: ["read"] }]);
    expect(await store.operators.add({ name: "bob", role: "viewer" })).toBe(true);
    const key = { id: "ok_2", hash: new Uint8Array(32), label: "x", permissions: ["read"] as const };
    expect(await store.operatorKeys.add({ ...key, createdBy: "bob" })).toBe(true);
  });

  test("is refused by a database that holds anything", async () => {
    const store = await stores.open();
    expect(await store.noteStart({ version: "1" })).toBe(1);
    await expect(copy()).rejects.toThrow(
      /is not empty \(there are rows in changes\); give the copy an empty database/,
    );
    await store.bots.seed([shopBot({ id: "other" })], { prune: false, dryRun: false });
    await expect(copy()).rejects.toThrow("is not empty (there are rows in bot_rows)");
    expect((await store.bots.list()).map(({ id }) => id)).toEqual(["other" as BotId]);
  });

  test("is refused by a database that a server runs on, is of a newer Parley, or has its copy already", async () => {
    const server = await PostgresStore.open({ address: stores.address, now: Date.now });
    await server.giveBackUnfinished();
    await expect(copy()).rejects.toThrow("there are rows in instances");
    await server[Symbol.asyncDispose]();
    await run("UPDATE parley_schema SET version = 99");
    await expect(copy()).rejects.toThrow("by a newer Parley (schema 99");
    await run(`UPDATE parley_schema SET version = ${LATEST_POSTGRES_SCHEMA}`);
    await copy();
    await expect(copy()).rejects.toThrow("holds a data folder that was copied already, and checked");
  });

  test("leaves nothing behind in the database when it is done", async () => {
    await copy();
    expect(await run("SELECT 1 FROM pg_tables WHERE tablename = 'parley_copy'")).toEqual([]);
    expect(existsSync(folder.database)).toBe(true);
  });
});

async function readFolder<Result>(
  folder: FilledFolder,
  work: (store: Store) => Promise<Result>,
): Promise<Result> {
  await using store = folder.openStore();
  // Not closed before the work is done.
  return await work(store);
}

/** A second bot, a token that is revoked, and a turn with everything that is optional, under a key. */
async function fillMore(folder: FilledFolder) {
  return readFolder(folder, async (store) => {
    await store.giveBackUnfinished();
    const second = shopBot({ id: "second", monthlyMessageCap: 10 });
    await store.bots.seed([shopBot(), second], { prune: false, dryRun: false });
    await store.bots.setEnabled("second", false);
    const token = { hash: new Uint8Array(32).fill(9), botIds: ["second", "shop"] as BotId[], label: "NULL" };
    await store.embedTokens.create({
      ...token,
      id: "et_second" as EmbedTokenId,
      expiresAt: Date.now() + 1e9,
    });
    await store.embedTokens.revoke("et_second");
    const stored = (await store.embedTokens.findByHash(token.hash))!;
    const idempotencyKey = {
      embedToken: stored.key,
      keyHash: new Uint8Array(32).fill(0),
      bodyHash: new Uint8Array(32).fill(255),
    };
    const turn = turnWith({
      requestId: "rq_full" as RequestId,
      at: Date.now(),
      intent: "orders.status" as IntentName,
      responseIndex: 2,
      metadata: {
        capabilityAllowed: false,
        enforcementReason: "DENY_LIST",
        schemaEnforced: true,
        schemaFallbackUsed: true,
        schemaValidationError: "no",
      },
    });
    const bot = (await store.bots.find("second"))!.key;
    const conversationId = "cv_second" as ConversationId;
    await store.recordTurn({ bot, conversationId, turn, idempotencyKey });
    return idempotencyKey;
  });
}

type Key = Awaited<ReturnType<typeof fillMore>>;

/** What both stores say of everything. */
async function answersOf(store: Store, key: Key) {
  const now = Date.now();
  const bots = await store.bots.list();
  const keys = bots.map((bot) => bot.key);
  const vector = await store.findEmbedding("a-model", new Uint8Array(32));
  return {
    bots,
    models: [await store.findIntentModel("model-1"), await store.findSentenceModel("model-1", "e")].map(
      (bytes) => [...bytes!],
    ),
    tokens: await store.embedTokens.list(),
    turns: [
      ...(await store.conversations.listTurns("cv_1")),
      ...(await store.conversations.listTurns("cv_second")),
    ],
    usage: [...(await store.readUsage(keys, now))].toSorted(([a], [b]) => a - b),
    earlier: await store.findEarlierAnswer(key, now),
    vector: [...vector!],
    changes: await store.changes.list({ limit: 100 }),
    heartbeat: await store.readHeartbeat(),
  };
}
