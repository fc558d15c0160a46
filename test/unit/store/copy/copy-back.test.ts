import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { SQL } from "bun";

import { wordsAsked } from "../../../../src/store/analytics/words.ts";
import { copyToFolder, copyToPostgres, type CopyOptions } from "../../../../src/store/copy/copy.ts";
import { PostgresStore } from "../../../../src/store/postgres/postgres-store.ts";
import { Sqlite } from "../../../../src/store/sqlite/driver.ts";
import { SqliteStore } from "../../../../src/store/sqlite/sqlite-store.ts";
import { countAll, readCopiedRows, writeOneOfEach } from "../../../support/copies.ts";
import { FilledFolder } from "../../../support/databases.ts";
import { HANG_MS } from "../../../support/eventually.ts";
import { HOSTILE_TEXTS } from "../../../support/hostile-texts.ts";
import { whyNoPostgres } from "../../../support/postgres-server.ts";
import { PostgresStores, recordOf } from "../../../support/postgres-stores.ts";
import { TcpProxy } from "../../../support/tcp-proxy.ts";

const AT = Date.UTC(2026, 10, 30, 12);
const INPUTS = HOSTILE_TEXTS.filter((text) => !text.includes("\0"));
const HASTY_LEASE = { beatEveryMs: 50, leaseMs: 250 };
const MAIN = join(import.meta.dir, "../../../../src/main.ts");

describe.skipIf(whyNoPostgres !== undefined)("a copy of a PostgreSQL database", () => {
  let root: string;
  let target: string;
  let stores: PostgresStores;
  beforeEach(async () => {
    root = mkdtempSync(join(tmpdir(), "parley-copy-"));
    target = join(root, "data");
    stores = await PostgresStores.create();
  });
  afterEach(async () => {
    await stores[Symbol.asyncDispose]();
    rmSync(root, { recursive: true });
  });

  const by = { kind: "user", name: "ann", command: "copy" } as const;
  const options = (): CopyOptions => ({
    dataDir: target,
    address: stores.address,
    now: () => AT,
    by,
    lease: HASTY_LEASE,
  });
  const copyBack = (more: Partial<CopyOptions> = {}) => copyToFolder({ ...options(), ...more });
  const openCopy = () => new SqliteStore({ dataDir: target, now: () => AT, busyTimeoutMs: 5000 });

  async function run<Row>(statement: string): Promise<Row[]> {
    await using sql = new SQL(stores.url, { max: 1 });
    return (await sql.unsafe(statement)) as Row[];
  }

  /** Writes to the database as servers do that are gone. */
  async function fill(): Promise<void> {
    await using store = await PostgresStore.open({ address: stores.address, now: () => AT, by });
    await writeOneOfEach(store, AT);
  }

  test("that was a data folder before has its rows again, all of them, and takes one write of each kind", async () => {
    using folder = new FilledFolder();
    await folder.fill(...INPUTS);
    const filled = new SqliteStore({ dataDir: folder.dataDir, now: () => AT, busyTimeoutMs: 5000 });
    await writeOneOfEach(filled, AT);
    await filled[Symbol.asyncDispose]();
    const there = await copyToPostgres({ ...options(), dataDir: folder.dataDir });
    const before = readCopiedRows(folder.database);
    const back = await copyBack();
    expect(back).toMatchObject({ database: join(target, "parley.db"), mendedTexts: 0 });
    expect(back.rows).toEqual({ ...there.rows, changes: there.rows["changes"]! + 1 });
    const after = readCopiedRows(back.database);
    expect(after.get("changes")!.length).toBe(before.get("changes")!.length + 2);
    for (const rows of [before, after]) rows.delete("changes");
    expect([...after.keys()]).toEqual([...before.keys()]);
    for (const [table, rows] of before) expect([table, after.get(table)]).toEqual([table, rows]);
    await using postgres = await PostgresStore.open({ address: stores.address, now: () => AT });
    await writeOneOfEach(postgres, AT + 1);
    await using store = openCopy();
    await writeOneOfEach(store, AT + 2);
  });

  test("gives no number again that was ever given", async () => {
    await fill();
    await run("DELETE FROM handoffs; DELETE FROM deliveries; DELETE FROM counted_turns");
    const numbers = {
      bot_rows: 1,
      embed_tokens: 1,
      knowledge_passages: 1,
      handoffs: 1,
      deliveries: 3,
      counted_turns: 4,
    };
    await copyBack();
    const db = new Sqlite(join(target, "parley.db"));
    const given = new Map(
      db.prepare<[], [string, number]>("SELECT name, seq FROM sqlite_sequence").raw().all(),
    );
    db.close();
    expect(Object.fromEntries(Object.keys(numbers).map((name) => [name, given.get(name)]))).toEqual(numbers);
  });

  test("finds words at once, and counts what was not counted, once", async () => {
    await fill();
    await using store = await PostgresStore.open({ address: stores.address, now: () => AT, by });
    const bot = (await store.bots.find(`bot-${AT}`))!.key;
    await store.recordTurn(
      recordOf(bot, "rq_0_early", { at: AT - 86_400_000, input: "an umbrella" }, "cv_z"),
    );
    await store.recordTurn(recordOf(bot, "rq_9_late", { at: AT + 1000, input: "an overcoat" }, "cv_a"));
    await store[Symbol.asyncDispose]();
    await copyBack();
    await using copied = openCopy();
    const find = async (text: string) =>
      (await copied.analytics.listConversations({ words: wordsAsked(text), limit: 10 })).items.map(
        ({ id }) => id,
      );
    expect(await find("thank")).toEqual([`cv_bot-${AT}`]);
    expect(await find("umbrella")).toEqual(["cv_z"]);
    await countAll(copied, AT);
    expect([await find("umbrella"), await find("overcoat")]).toEqual([["cv_z"], ["cv_a"]]);
    const range = { bucket: "day" as const, from: AT - 10 * 86_400_000, to: AT + 86_400_000 };
    const turns = (await copied.analytics.countOutcomes(range)).reduce((sum, count) => sum + count.turns, 0);
    expect(turns).toBe(6);
    expect((await copied.analytics.countingState()).share).toBe(1);
  });

  test("keeps the order of a conversation's turns where the clock of a server was behind", async () => {
    await using store = await PostgresStore.open({ address: stores.address, now: () => AT, by });
    await writeOneOfEach(store, AT);
    const bot = (await store.bots.find(`bot-${AT}`))!.key;
    for (const [n, at] of [5000, 1000, 9000].entries())
      await store.recordTurn(recordOf(bot, `rq_${9 - n}`, { at: AT + at, input: `message ${n}` }, "cv_late"));
    await store[Symbol.asyncDispose]();
    await copyBack();
    await using copied = openCopy();
    const turns = await copied.conversations.listTurns("cv_late");
    expect(turns.map(({ input }) => input)).toEqual(["message 0", "message 1", "message 2"]);
  });

  test("is its owner's alone, one whole file, and says where it came from", async () => {
    await fill();
    await copyBack();
    expect(statSync(target).mode & 0o777).toBe(0o700);
    for (const name of readdirSync(target)) expect(statSync(join(target, name)).mode & 0o777).toBe(0o600);
    expect(readdirSync(target).toSorted()).toEqual(["parley.db", "parley.db.marker", "parley.lock"]);
    await using copied = openCopy();
    expect((await copied.changes.list({ limit: 1 }))[0]).toMatchObject({
      kind: "database.copied",
      subject: stores.address.shown,
      by: { name: "ann", command: "copy" },
    });
  });

  test("is refused by a folder that holds anything, which stays as it is", async () => {
    await fill();
    mkdirSync(target);
    writeFileSync(join(target, "notes.txt"), "mine");
    await expect(copyBack()).rejects.toThrow("is not empty (there is notes.txt); name a new folder");
    rmSync(join(target, "notes.txt"));
    await copyBack();
    const before = readCopiedRows(join(target, "parley.db"));
    await expect(copyBack()).rejects.toThrow("is not empty (there is parley.db");
    expect(readCopiedRows(join(target, "parley.db"))).toEqual(before);
  });

  test("is refused while a server runs on the database, and nothing is left of it", async () => {
    await fill();
    await using server = await PostgresStore.open({
      address: stores.address,
      now: () => AT,
      lease: HASTY_LEASE,
    });
    await server.giveBackUnfinished();
    const beat = setInterval(() => void server.renewLease(() => performance.now()), 20);
    try {
      await expect(copyBack({ lease: { beatEveryMs: 100, leaseMs: HANG_MS } })).rejects.toThrow(
        `a server runs on ${stores.address.shown}; stop it, and try again`,
      );
    } finally {
      clearInterval(beat);
    }
    expect(readdirSync(target)).toEqual(["parley.lock"]);
  });

  test("waits for the lease of a server that was killed, and gives back what it left", async () => {
    await fill();
    await using store = await PostgresStore.open({
      address: stores.address,
      now: () => AT,
      lease: HASTY_LEASE,
    });
    const bot = (await store.bots.find(`bot-${AT}`))!.key;
    await run("INSERT INTO instances VALUES ('in_dead', 1, 1)");
    await store.recordTurn(recordOf(bot, "rq_begun", { at: AT, state: "unanswered" }));
    await run(
      `INSERT INTO turns_in_flight SELECT 'rq_begun', bot_key, month, 'in_dead' FROM monthly_usage WHERE bot_key = ${bot}`,
    );
    expect(await store.usage.read(bot, AT)).toBe(4);
    const stages = new Set<string>();
    await copyBack({ onCopy: (stage) => stages.add(stage) });
    expect([...stages]).toEqual(["waiting", "copying", "checking"]);
    await using copied = openCopy();
    expect(await copied.usage.read(bot, AT)).toBe(3);
  });

  test("keeps servers and commands from the database while it runs", async () => {
    await fill();
    await using writer = new SQL(stores.url, { max: 1 });
    await writer.unsafe("SET lock_timeout = 1");
    const tries: Promise<string>[] = [];
    await copyBack({
      onCopy(stage) {
        if (stage !== "copying" || tries.length > 0) return;
        const write = writer.unsafe("UPDATE bots SET enabled = enabled");
        tries.push(
          Promise.resolve(write).then(
            () => "written",
            (error: Error) => error.message,
          ),
        );
      },
    });
    expect(await Promise.all(tries)).toEqual(["canceling statement due to lock timeout"]);
  });

  test("that is stopped or killed leaves no database, and the same command makes one", async () => {
    await fill();
    const stopping = new AbortController();
    await expect(
      copyBack({ onCopy: (stage) => stage === "checking" && stopping.abort(), signal: stopping.signal }),
    ).rejects.toThrow("abort");
    expect(readdirSync(target)).toEqual(["parley.lock"]);
    await killWhileCopying();
    expect(existsSync(join(target, "parley.db"))).toBe(false);
    expect(readdirSync(target).some((name) => name.endsWith(".part"))).toBe(true);
    await copyBack();
    expect(readdirSync(target).toSorted()).toEqual(["parley.db", "parley.db.marker", "parley.lock"]);
  });

  /** Holds a lock for which the command waits once its folder is begun. */
  async function killWhileCopying(): Promise<void> {
    await using sql = new SQL(stores.url, { max: 1 });
    await sql.begin(async (transaction) => {
      await transaction.unsafe("UPDATE bots SET enabled = enabled");
      const env = { ...process.env, PARLEY_STORE: stores.url };
      const child = Bun.spawn([process.execPath, MAIN, "copy", "--from", "postgres", "--to", target], {
        env,
      });
      while (child.exitCode === null && !readdirSync(target).some((name) => name.endsWith(".part")))
        await Bun.sleep(5);
      child.kill("SIGKILL");
      await child.exited;
      expect(child.signalCode).toBe("SIGKILL");
    });
  }

  test("whose connection is lost says so, and leaves no database", async () => {
    await fill();
    await using proxy = await TcpProxy.start(Number(new URL(stores.url).port));
    const lost = copyBack({
      address: stores.behind(proxy),
      onCopy: (stage) => stage === "copying" && proxy.cut(),
    });
    await expect(lost).rejects.toThrow("nothing was kept, and the same command starts again");
    expect(readdirSync(target)).toEqual(["parley.lock"]);
  });

  test("of nothing, or of half a copy, is refused", async () => {
    await using empty = await PostgresStores.create({ isEmpty: true });
    const { address } = empty;
    await expect(copyBack({ address })).rejects.toThrow(`there is nothing of Parley in ${address.shown}`);
    await fill();
    await run("CREATE TABLE parley_copy (key int)");
    await expect(copyBack()).rejects.toThrow("holds a copy that is not finished");
    expect(readdirSync(target)).toEqual(["parley.lock"]);
  });
});
