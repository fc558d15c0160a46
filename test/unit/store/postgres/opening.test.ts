import { afterEach, beforeEach, describe, expect, test } from "bun:test";

import { SQL } from "bun";

import { parseStoreAddress } from "../../../../src/config/store-address.ts";
import awaitedTurns from "../../../../src/store/postgres/migrations/0013-awaited-turns.sql" with { type: "text" };
import { PostgresStore } from "../../../../src/store/postgres/postgres-store.ts";
import { documentOf } from "../../../support/knowledge.ts";
import { whyNoPostgres } from "../../../support/postgres-server.ts";
import { PostgresStores, recordOf, seedShop } from "../../../support/postgres-stores.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
/** The rights that a server needs on a database that is up to date. */
const MIN_RIGHTS = [
  "CREATE ROLE parley_server LOGIN",
  "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO parley_server",
  "GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO parley_server",
];

describe.skipIf(whyNoPostgres !== undefined)("opening a PostgreSQL database", () => {
  let stores: PostgresStores;
  beforeEach(async () => {
    stores = await PostgresStores.create({ isEmpty: true });
  });
  afterEach(() => stores[Symbol.asyncDispose]());

  async function run(...statements: string[]): Promise<void> {
    await using sql = new SQL(stores.url, { max: 1 });
    for (const statement of statements) await sql.unsafe(statement);
  }

  test("eight servers that start at once make one schema", async () => {
    const opened = await Promise.all(Array.from({ length: 8 }, () => stores.open()));
    expect(await opened[7]!.bots.list()).toEqual([]);
    expect(await PostgresStore.isThere(stores.address)).toBe(true);
  });

  test("of a newer Parley is refused with a line that says so", async () => {
    await stores.open();
    await run("UPDATE parley_schema SET version = 99");
    await expect(stores.open()).rejects.toThrow(/by a newer Parley \(schema 99, this one knows \d+\); run/);
  });

  test("of before turns were awaited counts what was not counted then, and what an older server stores and counts beside it", async () => {
    const store = await stores.open();
    const bot = await seedShop(store);
    const say = (request: string) => store.recordTurn(recordOf(bot, request));
    const total = async () => {
      while ((await store.analytics.countTurns(100)).mayGoOn);
      const day = { bucket: "day", from: Date.now() - 2 * DAY_MS, to: Date.now() + DAY_MS } as const;
      const [answered] = await store.analytics.countOutcomes(day);
      return answered!.turns;
    };
    for (const request of ["rq_1", "rq_2"]) await say(request);
    expect(await total()).toBe(2);
    await run(
      "DROP TRIGGER turns_are_awaited ON turns",
      "DROP FUNCTION parley_await_turns",
      "DROP INDEX awaited_turns_by_time",
      "ALTER TABLE awaited_turns DROP COLUMN at",
      "UPDATE turn_counting SET counted_at = (SELECT max(at) FROM turns)",
    );
    for (const request of ["rq_3", "rq_4", "rq_5"]) await say(request);
    await run(awaitedTurns);
    // As an older server counts: from turns themselves, whatever awaits it.
    await say("rq_6");
    await run(
      `INSERT INTO counted_turns (place, request_id, conversation_id, bot_key, at, outcome, words)
       SELECT 3, request_id, conversation_id, ${bot}, at, 'answered', '' FROM turns WHERE request_id = 'rq_6'`,
      `UPDATE turn_counts SET turns = turns + 1`,
      "UPDATE turn_counting SET last_place = 3",
    );
    expect((await store.analytics.listConversations({ words: [], limit: 9 })).items).toHaveLength(6);
    expect(await total()).toBe(6);
    expect(await store.analytics.countingState()).toMatchObject({ left: 0, openSince: undefined });
  });

  test("that holds tables of another program is left alone", async () => {
    await run("CREATE TABLE bots (id int)");
    const error = await stores.open().catch((thrown: unknown) => thrown as Error);
    expect((error as Error).message).toContain("holds tables of another program");
    expect(await PostgresStore.isThere(stores.address)).toBe(false);
  });

  test("that does not exist, or cannot be reached, is named without its password", async () => {
    for (const url of ["postgres://ann:secret@127.0.0.1:1/parley", `${stores.url}_none`]) {
      const error = await PostgresStore.open({
        address: parseStoreAddress(url),
        now: Date.now,
        patience: { deadlineMs: 1000, retryMs: 0 },
      }).catch((thrown: unknown) => thrown as Error);
      expect((error as Error).message).toStartWith("cannot use postgres://");
      expect((error as Error).message).not.toContain("secret");
    }
  });

  test("a role with the least rights serves a database that is up to date, and is told what it lacks for another", async () => {
    const owner = await stores.open();
    const bot = await seedShop(owner);
    await run("DROP ROLE IF EXISTS parley_server", ...MIN_RIGHTS);
    const url = new URL(stores.url);
    url.username = "parley_server";
    const address = parseStoreAddress(url.href);
    const server = await PostgresStore.open({ address, now: Date.now });
    await server.giveBackUnfinished();
    expect(await server.recordTurn(recordOf(bot, "rq_1"))).toBe("recorded");
    await server.assertWritable();
    await server.bots.setEnabled("shop", false);
    expect(await server.deleteExpired(Date.now(), 1)).toBe(false);
    expect(await server.noteStart({ version: "1" })).toBe(1);
    await server.knowledge.saveDocuments(bot, [documentOf("a.md", ["A."])]);
    expect(await server.knowledge.readTerms(await server.knowledge.listPassageIds(bot))).toHaveLength(1);
    await server[Symbol.asyncDispose]();
    await run("UPDATE parley_schema SET version = 0");
    const refused = await PostgresStore.open({ address, now: Date.now }).catch((thrown: unknown) => thrown);
    expect((refused as Error).message).toContain("may not bring the database up to date");
    await run("DROP OWNED BY parley_server", "DROP ROLE parley_server");
  });

  test("without prepared statements, as some poolers want it, messages are stored and read all the same", async () => {
    const bot = await seedShop(await stores.open());
    const store = await stores.open({ address: parseStoreAddress(`${stores.url}?prepare=false`) });
    await store.giveBackUnfinished();
    const requests = Array.from({ length: 5 }, (_, n) => `rq_${n}`);
    const outcomes = await Promise.all(requests.map((request) => store.recordTurn(recordOf(bot, request))));
    expect(new Set(outcomes)).toEqual(new Set(["recorded"]));
    const begun = await store.beginTurn(recordOf(bot, "rq_begun", { state: "unanswered" }));
    if (begun.outcome !== "begun") throw new Error(begun.outcome);
    const { turn, conversationId } = recordOf(bot, "rq_begun");
    const { key, instance } = begun;
    expect(
      await store.finishTurn({ key, instance, bot, conversationId, turn, modelTokens: 3, isCounted: true }),
    ).toBe("finished");
    expect((await store.findConversation("cv_rq_begun", bot, 0))?.turns).toHaveLength(1);
    expect(await store.usage.read(bot, Date.now())).toBe(6);
    expect(await store.usage.readTokens(bot, Date.now())).toBe(3);
  });

  test("changes are never edited, and never deleted", async () => {
    await seedShop(await stores.open());
    await expect(run("UPDATE changes SET subject = 'another'")).rejects.toThrow("never edited");
    await expect(run("DELETE FROM changes")).rejects.toThrow("never edited");
  });
});
