import { afterEach, beforeEach, describe, expect, test } from "bun:test";

import { SQL } from "bun";

import {
  type ConversationId,
  newHandoffId,
  newRequestId,
  type RequestId,
  secureRandomBytes,
} from "../../../../src/domain/ids.ts";
import type { BotKey } from "../../../../src/store/interface/bots.ts";
import { CONSTRAINTS } from "../../../../src/store/postgres/failure.ts";
import type { PostgresStore } from "../../../../src/store/postgres/postgres-store.ts";
import { shopBot } from "../../../support/bots.ts";
import { eventually } from "../../../support/eventually.ts";
import { whyNoPostgres } from "../../../support/postgres-server.ts";
import { PostgresStores, recordOf, seedShop } from "../../../support/postgres-stores.ts";

const CONVERSATION = "cv_1" as ConversationId;

describe.skipIf(whyNoPostgres !== undefined)("what happens at the same time on PostgreSQL", () => {
  let stores: PostgresStores;
  let store: PostgresStore;
  let bot: BotKey;
  /** Somebody else's connection. */
  let other: SQL;

  beforeEach(async () => {
    stores = await PostgresStores.create();
    store = await stores.open();
    bot = await seedShop(store);
    other = new SQL(stores.url, { max: 1 });
  });
  afterEach(async () => {
    await other.close({ timeout: 0 });
    await stores[Symbol.asyncDispose]();
  });

  /** Resolves when as many statements of the store wait for a lock of somebody else's. */
  const untilBlocked = (statements: number) =>
    eventually(async () => {
      await using looker = new SQL(stores.url, { max: 1 });
      const rows = (await looker.unsafe(
        "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
      )) as unknown[];
      return rows.length >= statements;
    });

  test("constraints that others break have the names that PostgreSQL gave them", async () => {
    const rows = (await other.unsafe(
      "SELECT conname AS name FROM pg_constraint WHERE contype IN ('p', 'u', 'f')",
    )) as { name: string }[];
    const names = rows.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining([CONSTRAINTS.keyTaken, CONSTRAINTS.instanceGone]));
    const raced =
      /^(turns_pkey|turns_conversation_id|conversations_bot_key|monthly_usage_bot_key|idempotency_records)/;
    expect(names.filter((name) => raced.test(name)).toSorted()).toEqual(CONSTRAINTS.raced.toSorted());
  });

  async function talkToPerson(): Promise<void> {
    const at = Date.now();
    const id = newHandoffId(at, secureRandomBytes);
    const asked = { id, bot, conversationId: CONVERSATION, at };
    await store.handoffs.open({ ...asked, fields: {}, sharesTranscript: false, deliveries: [] });
    await store.handoffs.take({ id, operator: "ann", name: "Ann", at, until: at + 900_000 });
  }

  const recordLive = (requestId: RequestId = newRequestId(Date.now(), secureRandomBytes)) =>
    store.handoffs.recordLive(recordOf(bot, requestId, { input: "hello?" }, CONVERSATION));

  const turnsOf = async () => (await store.conversations.listTurns(CONVERSATION)).length;

  test("a message to a person is stored though another turn has just taken its place in the conversation", async () => {
    await talkToPerson();
    let recorded: Promise<unknown> | undefined;
    await other.begin(async (sql) => {
      await sql.unsafe(
        `INSERT INTO turns (request_id, conversation_id, number, bot_version, state, at, input, response, capability_allowed,
           schema_enforced, schema_fallback_used, receipt)
         VALUES ('rq_other', '${CONVERSATION}', 1, 1, 'complete', 1, 'hello', 'Hello.', true, false, false, '{}')`,
      );
      recorded = recordLive();
      await untilBlocked(1);
    });
    expect(await recorded).toBe("recorded");
    expect(await other.unsafe("SELECT number::int4 AS number FROM turns ORDER BY number")).toEqual(
      expect.arrayContaining([{ number: 1 }, { number: 2 }]),
    );
  });

  test("who erases a conversation and who says something in it to a person do not wait for each other", async () => {
    await talkToPerson();
    let recorded: Promise<unknown> | undefined;
    await other.begin(async (sql) => {
      await sql.unsafe(`SELECT 1 FROM conversations WHERE id = '${CONVERSATION}' FOR UPDATE`);
      recorded = recordLive();
      await untilBlocked(1);
      // Refused where the message holds it, which waits for the conversation.
      await sql.unsafe("SELECT 1 FROM handoffs FOR UPDATE NOWAIT");
      await sql.unsafe(`DELETE FROM conversations WHERE id = '${CONVERSATION}'`);
    });
    expect(await recorded).toBe("not_live");
    expect(await turnsOf()).toBe(0);
  });

  test("a visitor waits for no sums, lists and searches of operators, however long they take", async () => {
    const request = newRequestId(Date.now(), secureRandomBytes);
    const record = recordOf(bot, request, { state: "unanswered", response: "" });
    let ended = 0;
    const looks: Promise<unknown>[] = [];
    await other.begin(async (sql) => {
      await sql.unsafe("LOCK TABLE turn_counts, counted_turns, ratings IN ACCESS EXCLUSIVE MODE");
      const range = { bucket: "day", from: 0, to: 1 } as const;
      const look = () => [
        store.analytics.countOutcomes(range),
        store.analytics.listConversations({ words: [], limit: 5 }),
        store.audit.countRatings({ bot, since: 0 }),
      ];
      for (const each of Array.from({ length: 5 }, look).flat()) looks.push(each.finally(() => (ended += 1)));
      await untilBlocked(3);
      const begun = await store.beginTurn(record);
      if (begun.outcome !== "begun") throw new Error(begun.outcome);
      await store.findConversation(record.conversationId, bot, 0);
      await store.embedTokens.findByHash(new Uint8Array(32));
      await store.handoffs.findOpen(record.conversationId);
      const { turn, conversationId } = recordOf(bot, request, { response: "Hi." });
      const { key, instance } = begun;
      const finished = { key, instance, bot, conversationId, turn, modelTokens: 1, isCounted: true };
      expect(await store.finishTurn(finished)).toBe("finished");
      expect(ended).toBe(0);
    });
    await Promise.all(looks);
  });

  test("a bot whose document is damaged leaves the others to be listed", async () => {
    await store.bots.seed([shopBot(), shopBot({ id: "damaged" })], { prune: false, dryRun: false });
    await other.unsafe(
      "UPDATE bot_versions SET document = '{\"name\": ' WHERE bot_key = (SELECT key FROM bots WHERE id = 'damaged')",
    );
    expect((await store.bots.outline()).map(({ id, name }) => [String(id), name])).toEqual([
      ["damaged", "damaged"],
      ["shop", shopBot().name],
    ]);
  });
});
