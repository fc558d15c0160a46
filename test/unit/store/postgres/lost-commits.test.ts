/** What becomes of a commit of which nobody hears: its answer is lost, or it is done when nobody waits for it any more. */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";

import { SQL } from "bun";

import { ServiceError } from "../../../../src/domain/errors.ts";
import type { InstanceId } from "../../../../src/domain/ids.ts";
import type { BotKey } from "../../../../src/store/interface/bots.ts";
import { Connection } from "../../../../src/store/postgres/connection.ts";
import { DeadlineError } from "../../../../src/store/postgres/failure.ts";
import { finishTurn } from "../../../../src/store/postgres/finish-turn.ts";
import type { PostgresStore } from "../../../../src/store/postgres/postgres-store.ts";
import { storeGroup } from "../../../../src/store/postgres/turn-group.ts";
import type { BegunTurn, TurnToFinish } from "../../../../src/store/turn-store.ts";
import { eventually } from "../../../support/eventually.ts";
import { whyNoPostgres } from "../../../support/postgres-server.ts";
import { HASTY, PATIENT, PostgresStores, recordOf, seedShop } from "../../../support/postgres-stores.ts";
import { TcpProxy } from "../../../support/tcp-proxy.ts";

const TOKENS = 7;
const WAITING = `
SELECT count(*)::int4 AS waiting FROM pg_stat_activity
WHERE datname = current_database() AND wait_event_type = 'Lock'`;

describe.skipIf(whyNoPostgres !== undefined)("a commit on PostgreSQL of which nobody hears", () => {
  let stores: PostgresStores;
  let proxy: TcpProxy;
  let direct: PostgresStore;
  let sql: SQL;
  let bot: BotKey;

  beforeEach(async () => {
    stores = await PostgresStores.create();
    direct = await stores.open({ patience: PATIENT });
    bot = await seedShop(direct);
    await direct.giveBackUnfinished();
    proxy = await TcpProxy.start(Number(new URL(stores.url).port));
    sql = new SQL(stores.url, { max: 1 });
  });
  afterEach(async () => {
    await sql.close();
    proxy.mode = "pass";
    await stores[Symbol.asyncDispose]();
    await proxy[Symbol.asyncDispose]();
  });

  const used = () => direct.usage.read(bot, Date.now());
  const tokens = () => direct.usage.readTokens(bot, Date.now());
  const stateOf = async (request: string) =>
    (await direct.conversations.findTurnByRequest(request))?.state ?? "none";
  const unanswered = (request: string) => recordOf(bot, request, { state: "unanswered", response: "" });

  async function begin(store: PostgresStore, request: string): Promise<BegunTurn> {
    const begun = await store.beginTurn(unanswered(request));
    if (begun.outcome !== "begun") throw new Error(begun.outcome);
    return { key: begun.key, instance: begun.instance };
  }

  const answerOf = (begun: BegunTurn, request: string): TurnToFinish => ({
    ...begun,
    ...recordOf(bot, request, { response: "Hi." }),
    modelTokens: TOKENS,
    isCounted: true,
  });
  const giveBackOf = (begun: BegunTurn, request: string): TurnToFinish => ({
    ...begun,
    ...unanswered(request),
    modelTokens: TOKENS,
    isCounted: false,
  });

  /** @throws what is no refusal. */
  function refused(error: unknown): undefined {
    if (!(error instanceof ServiceError)) throw error;
  }

  /** A store behind the proxy that has finished a turn: its statements are prepared, and go out in one piece from then on. */
  async function openPrepared(patience: typeof PATIENT): Promise<PostgresStore> {
    const store = await stores.open({ address: stores.behind(proxy), patience });
    await eventually(async () => (await store.giveBackUnfinished().catch(refused)) === 0);
    await eventually(
      async () => (await store.recordTurn(recordOf(bot, "rq_0")).catch(refused)) === "recorded",
    );
    const answer = answerOf(await begin(direct, "rq_00"), "rq_00");
    await eventually(async () => (await store.finishTurn(answer).catch(refused)) === "finished");
    return store;
  }

  /** Does it, and loses the answers of the database; the connections are cut once the database has done it. */
  async function unheard<Result>(attempt: () => Promise<Result>, isDone: () => Promise<boolean>) {
    proxy.mode = "swallow";
    const outcome = attempt();
    outcome.catch(() => {});
    await eventually(isDone);
    proxy.mode = "pass";
    proxy.cut();
    return outcome;
  }

  /** Holds rows of the database until it is told to let go. */
  async function hold(rows: string): Promise<{ release: () => Promise<void> }> {
    const [held, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const holding = sql.begin(async (transaction) => {
      await transaction.unsafe(rows);
      held.resolve();
      await released.promise;
    });
    await Promise.race([held.promise, holding]);
    return {
      async release() {
        released.resolve();
        await holding;
      },
    };
  }

  /** How many statements wait for what is held. */
  async function countWaiting(): Promise<number> {
    await using watching = new SQL(stores.url, { max: 1 });
    const [row] = (await watching.unsafe(WAITING)) as { waiting: number }[];
    return row!.waiting;
  }
  const untilWaiting = (statements: number) => eventually(async () => (await countWaiting()) >= statements);

  async function expectUnavailable(attempt: Promise<unknown>): Promise<void> {
    expect(await attempt.catch((thrown: unknown) => thrown)).toBeInstanceOf(ServiceError);
  }

  test("has each message of a group, once, and they are acknowledged", async () => {
    const store = await openPrepared(PATIENT);
    const requests = Array.from({ length: 20 }, (_, n) => `rq_group_${n}`);
    const outcomes = await unheard(
      () => Promise.all(requests.map((request) => store.recordTurn(recordOf(bot, request)))),
      async () => (await used()) > 2,
    );
    expect(new Set(outcomes)).toEqual(new Set(["recorded"]));
    expect(await used()).toBe(22);
    for (const request of requests) expect(await stateOf(request)).toBe("complete");
  });

  test("begins a turn once, which is then finished", async () => {
    const store = await openPrepared(PATIENT);
    const begun = await unheard(
      () => begin(store, "rq_1"),
      async () => (await stateOf("rq_1")) === "unanswered",
    );
    expect(await used()).toBe(3);
    expect(await store.finishTurn(answerOf(begun, "rq_1"))).toBe("finished");
    expect([await used(), await tokens(), await stateOf("rq_1")]).toEqual([3, 2 * TOKENS, "complete"]);
  });

  test("has begun a turn for the server as it was called then, or for none, where that was taken for dead", async () => {
    const { instance } = await begin(direct, "rq_1");
    const group = [{ record: unanswered("rq_1"), isBegun: true }];
    await using connection = new Connection(stores.address, PATIENT.deadlineMs);
    const again = () => storeGroup(connection, group, "in_later" as InstanceId);
    expect(await again()).toEqual([{ verdict: "stored", instance }]);
    await sql.unsafe("DELETE FROM turns_in_flight");
    await sql.unsafe("UPDATE monthly_usage SET messages = 0");
    const [stored] = await again();
    expect(stored).toEqual({ verdict: "stored", instance: "" as InstanceId });
    const begun = { key: "rq_1" as BegunTurn["key"], instance: stored!.instance };
    expect(await direct.finishTurn(answerOf(begun, "rq_1"))).toBe("finished");
    expect([await used(), await tokens()]).toEqual([1, TOKENS]);
  });

  test("has finished a turn once", async () => {
    const store = await openPrepared(PATIENT);
    const begun = await begin(store, "rq_1");
    const outcome = await unheard(
      () => store.finishTurn(answerOf(begun, "rq_1")),
      async () => (await stateOf("rq_1")) === "complete",
    );
    expect(outcome).toBe("finished");
    expect([await used(), await tokens()]).toEqual([3, 2 * TOKENS]);
  });

  test("has given a turn back once, and counts its tokens once, however often it is tried again", async () => {
    const hasty = await openPrepared(HASTY);
    const begun = await begin(direct, "rq_1");
    expect(await used()).toBe(3);
    proxy.mode = "swallow";
    await expectUnavailable(hasty.finishTurn(giveBackOf(begun, "rq_1")));
    await eventually(async () => (await used()) === 2);
    proxy.mode = "pass";
    proxy.cut();
    await eventually(async () => (await hasty.renewLease(() => 0).catch(refused))?.turnsGivenBack === 1);
    expect([await used(), await tokens(), await stateOf("rq_1")]).toEqual([2, 2 * TOKENS, "unanswered"]);
  });

  test("is neither undone nor done twice, where it comes after its turn was to be given back", async () => {
    const hasty = await stores.open({ patience: HASTY });
    const begun = await begin(direct, "rq_1");
    const held = await hold("SELECT 1 FROM turns_in_flight WHERE request_id = 'rq_1' FOR UPDATE");
    await expectUnavailable(hasty.finishTurn(answerOf(begun, "rq_1")));
    await expectUnavailable(hasty.finishTurn(giveBackOf(begun, "rq_1")));
    await untilWaiting(2);
    await held.release();
    await eventually(async () => (await stateOf("rq_1")) === "complete");
    await direct.finishTurn(giveBackOf(begun, "rq_1"));
    await eventually(async () => (await countWaiting()) === 0);
    expect([await used(), await tokens(), await stateOf("rq_1")]).toEqual([1, TOKENS, "complete"]);
  });

  test("writes no answer to a turn that was given back before it came", async () => {
    const begun = await begin(direct, "rq_1");
    expect(await direct.finishTurn(giveBackOf(begun, "rq_1"))).toBe("finished");
    await using connection = new Connection(stores.address, PATIENT.deadlineMs);
    expect(await finishTurn(connection, answerOf(begun, "rq_1"), 0)).toBe("to_be_counted");
    expect([await used(), await tokens(), await stateOf("rq_1")]).toEqual([0, TOKENS, "unanswered"]);
  });

  test("has begun a turn that is given back for all that, where it came after the giving back", async () => {
    const hasty = await stores.open({ patience: HASTY });
    await direct.recordTurn(recordOf(bot, "rq_0"));
    await eventually(async () => (await hasty.giveBackUnfinished().catch(refused)) === 0);
    const held = await hold("SELECT 1 FROM monthly_usage FOR UPDATE");
    await expectUnavailable(hasty.beginTurn(unanswered("rq_1")));
    const renew = () => hasty.renewLease(() => 0).catch(refused);
    await eventually(async () => (await renew())?.turnsGivenBack === 1);
    await held.release();
    await eventually(async () => (await used()) === 2);
    await eventually(async () => (await renew()) !== undefined);
    expect([await used(), await stateOf("rq_1")]).toEqual([1, "unanswered"]);
  });

  test("finishes a turn that is being given back by another server by counting it again", async () => {
    const begun = await begin(direct, "rq_1");
    const held = await hold(`
      SELECT 1 FROM instances FOR UPDATE;
      DELETE FROM turns_in_flight;
      UPDATE monthly_usage SET messages = messages - 1;
      DELETE FROM instances`);
    const finishing = direct.finishTurn(answerOf(begun, "rq_1"));
    await untilWaiting(1);
    await held.release();
    expect(await finishing).toBe("finished");
    expect([await used(), await tokens(), await stateOf("rq_1")]).toEqual([1, TOKENS, "complete"]);
  });

  test("holds nobody for longer than a statement may take, where a transaction begins or ends in silence", async () => {
    await using connection = new Connection(stores.behind(proxy), HASTY.deadlineMs);
    const freeze = () => void (proxy.mode = "freeze");
    const ending = connection.transaction(async (queries) => {
      await queries.query("SELECT 1");
      freeze();
    });
    expect(await ending.catch((thrown: unknown) => thrown)).toBeInstanceOf(DeadlineError);
    proxy.mode = "pass";
    proxy.cut();
    await eventually(async () => (await connection.query("SELECT 1").catch(() => [])).length === 1);
    freeze();
    const beginning = connection.transaction(async () => "begun");
    expect(await beginning.catch((thrown: unknown) => thrown)).toBeInstanceOf(DeadlineError);
  });
});
