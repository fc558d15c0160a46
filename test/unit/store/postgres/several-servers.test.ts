import { afterEach, beforeEach, describe, expect, test } from "bun:test";

import type { BotId } from "../../../../src/domain/ids.ts";
import { newEmbedTokenId, secureRandomBytes } from "../../../../src/domain/ids.ts";
import { sha256 } from "../../../../src/domain/sha256.ts";
import type { IdempotencyKey } from "../../../../src/store/idempotency.ts";
import type { BotKey } from "../../../../src/store/interface/bots.ts";
import { Connection, type Parameter } from "../../../../src/store/postgres/connection.ts";
import { finishGivenBack } from "../../../../src/store/postgres/finish-turn.ts";
import type { PostgresStore } from "../../../../src/store/postgres/postgres-store.ts";
import type { BegunTurn } from "../../../../src/store/turn-store.ts";
import { shopBot } from "../../../support/bots.ts";
import { whyNoPostgres } from "../../../support/postgres-server.ts";
import { PostgresStores, recordOf, seedShop } from "../../../support/postgres-stores.ts";

const LEASE = { beatEveryMs: 3000, leaseMs: 15_000 };

describe.skipIf(whyNoPostgres !== undefined)("several servers on one PostgreSQL database", () => {
  let stores: PostgresStores;
  let first: PostgresStore;
  let second: PostgresStore;
  let bot: BotKey;
  let steadyMs: number;

  beforeEach(async () => {
    steadyMs = 0;
    stores = await PostgresStores.create();
    [first, second] = await Promise.all([stores.open({ lease: LEASE }), stores.open({ lease: LEASE })]);
    bot = await seedShop(first);
    await first.giveBackUnfinished();
    await second.giveBackUnfinished();
  });
  afterEach(() => stores[Symbol.asyncDispose]());

  async function keyOf(name: string): Promise<IdempotencyKey> {
    const hash = sha256("a token");
    const id = newEmbedTokenId(Date.now(), secureRandomBytes);
    if (!(await first.embedTokens.findByHash(hash)))
      await first.embedTokens.create({ id, hash, botIds: ["shop" as BotId] });
    const { key: embedToken } = (await first.embedTokens.findByHash(hash))!;
    return { embedToken, keyHash: sha256(name), bodyHash: sha256("body") };
  }

  async function begin(store: PostgresStore, request: string, fields: object = {}): Promise<BegunTurn> {
    const begun = await store.beginTurn({ ...recordOf(bot, request, { state: "unanswered" }), ...fields });
    if (begun.outcome !== "begun") throw new Error(begun.outcome);
    return { key: begun.key, instance: begun.instance };
  }

  function finish(store: PostgresStore, begun: BegunTurn, request: string, fields: object = {}) {
    const { turn, conversationId } = recordOf(bot, request, { response: "Hi." });
    return store.finishTurn({
      ...begun,
      bot,
      conversationId,
      turn,
      modelTokens: 7,
      isCounted: true,
      ...fields,
    });
  }

  /** Lets time go by, in which only `living` renew their leases. @returns how many turns were given back. */
  async function pass(milliseconds: number, ...living: PostgresStore[]): Promise<number> {
    let turns = 0;
    for (const end = steadyMs + milliseconds; steadyMs < end;) {
      steadyMs += LEASE.beatEveryMs;
      for (const store of living) turns += (await store.renewLease(() => steadyMs)).turnsGivenBack;
    }
    return turns;
  }

  const used = () => second.usage.read(bot, Date.now());

  test("accept exactly as many messages as the cap allows", async () => {
    const record = (store: PostgresStore, n: number) =>
      store.recordTurn({ ...recordOf(bot, `rq_${n}`), monthlyMessageCap: 150 });
    const outcomes = await Promise.all(
      Array.from({ length: 400 }, (_, n) => record(n % 2 === 0 ? first : second, n)),
    );
    expect(outcomes.filter((outcome) => outcome === "recorded")).toHaveLength(150);
    expect(outcomes.filter((outcome) => outcome === "cap_reached")).toHaveLength(250);
    expect(await used()).toBe(150);
  });

  test("answer an idempotency key once, whichever is asked first, and in one group or in two", async () => {
    const idempotencyKey = await keyOf("the same");
    const outcomes = await Promise.all(
      Array.from({ length: 60 }, (_, n) =>
        (n % 2 === 0 ? first : second).recordTurn({ ...recordOf(bot, `rq_${n}`), idempotencyKey }),
      ),
    );
    expect(outcomes.filter((outcome) => outcome === "recorded")).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome === "key_taken")).toHaveLength(59);
    expect(await used()).toBe(1);
    const earlier = await second.findEarlierAnswer(idempotencyKey, Date.now());
    expect(earlier).toMatchObject({ state: "answered", turn: { response: "Hello." } });
  });

  test("take a key anew whose time has run out, though no sweep has been", async () => {
    const idempotencyKey = await keyOf("old");
    const old = recordOf(bot, "rq_old", { at: Date.now() - 25 * 60 * 60 * 1000 });
    expect(await first.recordTurn({ ...old, idempotencyKey })).toBe("recorded");
    expect(await second.findEarlierAnswer(idempotencyKey, Date.now())).toBeUndefined();
    expect(await second.recordTurn({ ...recordOf(bot, "rq_new"), idempotencyKey })).toBe("recorded");
    expect(await first.recordTurn({ ...recordOf(bot, "rq_late"), idempotencyKey })).toBe("key_taken");
  });

  test("append to one conversation, each turn in a place of its own", async () => {
    const say = (store: PostgresStore, n: number) =>
      store.recordTurn(recordOf(bot, `rq_${n}`, { input: `message ${n}` }, "cv_shared"));
    await Promise.all(Array.from({ length: 60 }, (_, n) => say(n % 2 === 0 ? first : second, n)));
    expect(await first.conversations.listTurns("cv_shared")).toHaveLength(60);
    const history = await second.findConversation("cv_shared", bot, 0);
    expect(history?.turns).toHaveLength(20);
    expect(await used()).toBe(60);
  });

  test("see changes of bots and tokens by a watch, once each", async () => {
    const watch = await second.watchGeneration();
    expect(await watch.poll()).toBe(false);
    await first.bots.setEnabled("shop", false);
    expect([await watch.poll(), await watch.poll()]).toEqual([true, false]);
    expect((await second.bots.list()).map(({ enabled }) => enabled)).toEqual([false]);
    expect(watch.everyMs).toBeLessThan(1000);
  });

  test("seed at the same time, one after another", async () => {
    const names = Array.from({ length: 8 }, (_, n) => `Shop ${n}`);
    await Promise.all(
      names.map((name, n) =>
        (n % 2 === 0 ? first : second).bots.seed([{ ...shopBot(), name }], { prune: false, dryRun: false }),
      ),
    );
    expect(await first.bots.find("shop")).toMatchObject({ version: names.length + 1 });
    const kinds = (await first.changes.list({ limit: 100 })).map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === "bot.updated")).toHaveLength(names.length);
  });

  test("give back what a dead one left when its lease has run out, once, and not before", async () => {
    await begin(first, "rq_1");
    await begin(second, "rq_2");
    const third = await stores.open({ lease: LEASE });
    await third.giveBackUnfinished();
    expect(await pass(LEASE.leaseMs, second, third)).toBe(0);
    expect(await used()).toBe(2);
    expect(await pass(2 * LEASE.beatEveryMs, second, third)).toBe(1);
    expect(await used()).toBe(1);
    expect(await second.conversations.findTurnByRequest("rq_1")).toMatchObject({ state: "unanswered" });
  });

  test("count once what one still answers that was taken for dead, and refuse what another has answered", async () => {
    const idempotencyKey = await keyOf("frozen");
    const plain = await begin(first, "rq_1");
    const keyed = await begin(first, "rq_2", { idempotencyKey });
    expect(await second.findEarlierAnswer(idempotencyKey, Date.now())).toMatchObject({ state: "running" });
    expect(await pass(LEASE.leaseMs + 2 * LEASE.beatEveryMs, second)).toBe(2);
    expect(await second.recordTurn({ ...recordOf(bot, "rq_3"), idempotencyKey })).toBe("recorded");
    expect(await finish(first, plain, "rq_1")).toBe("finished");
    expect(await finish(first, keyed, "rq_2", { idempotencyKey })).toBe("key_taken");
    expect(await used()).toBe(2);
    expect(await second.usage.readTokens(bot, Date.now())).toBe(7);
    expect((await first.renewLease(() => steadyMs)).wasTakenForDead).toBe(true);
    expect((await begin(first, "rq_4")).instance).not.toBe(plain.instance);
  });

  test("answer a key once also where one finishes what was given back while another begins to answer", async () => {
    const idempotencyKey = await keyOf("raced");
    const begun = await begin(first, "rq_1", { idempotencyKey });
    await pass(LEASE.leaseMs + 2 * LEASE.beatEveryMs, second);
    const { turn, conversationId } = recordOf(bot, "rq_1", { response: "Hi." });
    const result = { ...begun, bot, conversationId, turn, modelTokens: 7, isCounted: true, idempotencyKey };
    await using connection = new Connection(stores.address, 5000);
    const outcome = await connection.transaction((queries) =>
      finishGivenBack(
        {
          async query<Row>(text: string, parameters: readonly Parameter[] = []) {
            const rows = await queries.query<Row>(text, parameters);
            // It has looked, and found the key free: now the other is faster.
            const isLook = text.includes("request_id <> $3");
            if (isLook) await second.recordTurn({ ...recordOf(bot, "rq_2"), idempotencyKey });
            return rows;
          },
        },
        result,
      ),
    );
    expect(outcome).toBe("key_taken");
    expect(await used()).toBe(1);
    expect(await first.conversations.findTurnByRequest("rq_1")).toMatchObject({ state: "unanswered" });
    expect(await first.findEarlierAnswer(idempotencyKey, Date.now())).toMatchObject({
      turn: { requestId: "rq_2" },
    });
  });

  test("leave a key to others where what was given back has no room any more", async () => {
    const idempotencyKey = await keyOf("no room");
    const begun = await begin(first, "rq_1", { idempotencyKey, monthlyMessageCap: 1 });
    await pass(LEASE.leaseMs + 2 * LEASE.beatEveryMs, second);
    await second.recordTurn({ ...recordOf(bot, "rq_2"), monthlyMessageCap: 1 });
    const fields = { idempotencyKey, monthlyMessageCap: 1 };
    expect(await finish(first, begun, "rq_1", fields)).toBe("cap_reached");
    expect(await second.findEarlierAnswer(idempotencyKey, Date.now())).toBeUndefined();
    expect(await used()).toBe(1);
  });

  test("give a count back in its month, and its key to others, where an answer failed", async () => {
    const idempotencyKey = await keyOf("failing");
    const begun = await begin(first, "rq_1", { idempotencyKey });
    expect(await finish(first, begun, "rq_1", { isCounted: false, modelTokens: 3 })).toBe("finished");
    expect(await used()).toBe(0);
    expect(await first.usage.readTokens(bot, Date.now())).toBe(3);
    expect(await second.recordTurn({ ...recordOf(bot, "rq_2"), idempotencyKey })).toBe("recorded");
  });

  test("sweep the same at the same time, and count each conversation once", async () => {
    const old = { at: Date.now() - 1000 };
    for (let n = 0; n < 450; n += 50) {
      await Promise.all(
        Array.from({ length: 50 }, (_, i) => first.recordTurn(recordOf(bot, `rq_${n + i}`, old))),
      );
    }
    await first.recordTurn(recordOf(bot, "rq_alive", { at: Date.now() + 1000 }, "cv_rq_0"));
    const sweep = async (store: PostgresStore) => {
      while (await store.deleteExpired(Date.now(), Date.now())) await Bun.sleep(1);
    };
    await Promise.all([sweep(first), sweep(second)]);
    await sweep(first);
    expect(await first.conversations.count(bot)).toEqual({ conversations: 1, messages: 2 });
    const expired = (await first.changes.list({ limit: 100 })).filter(
      ({ kind }) => kind === "conversations.expired",
    );
    expect(expired.map(({ fields }) => fields[0]?.before)).toEqual([449]);
  });

  test("keep texts that PostgreSQL cannot hold as near as it can", async () => {
    const input = 'zero \0, quotes " \\ {,} and a half \ud800 of a pair';
    await first.recordTurn(recordOf(bot, "rq_odd", { input, intent: undefined }));
    const turn = await second.conversations.findTurnByRequest("rq_odd");
    expect(turn?.input).toBe('zero \ufffd, quotes " \\ {,} and a half \ufffd of a pair');
    expect((await second.findConversation("cv_rq_odd", bot, 0))?.turns).toHaveLength(1);
  });
});
