import { afterEach, beforeEach, describe, expect, test } from "bun:test";

import { SQL } from "bun";

import { parseStoreAddress } from "../../../../src/config/store-address.ts";
import { ServiceError } from "../../../../src/domain/errors.ts";
import type { BotKey } from "../../../../src/store/interface/bots.ts";
import { PostgresStore } from "../../../../src/store/postgres/postgres-store.ts";
import type { BegunTurn } from "../../../../src/store/turn-store.ts";
import { HANG_MS, eventually } from "../../../support/eventually.ts";
import { documentOf } from "../../../support/knowledge.ts";
import { LOOK_EVERY_MS, countLooks } from "../../../support/looks.ts";
import { startPostgres, whyNoPostgres } from "../../../support/postgres-server.ts";
import { HASTY, PATIENT, PostgresStores, recordOf, seedShop } from "../../../support/postgres-stores.ts";
import { TcpProxy } from "../../../support/tcp-proxy.ts";

describe.skipIf(whyNoPostgres !== undefined)("a PostgreSQL server", () => {
  let stores: PostgresStores;
  let proxy: TcpProxy;
  /** Sees what is stored, whatever the proxy does. */
  let direct: PostgresStore;
  let store: PostgresStore;
  let hasty: PostgresStore;
  let bot: BotKey;

  beforeEach(async () => {
    stores = await PostgresStores.create();
    direct = await stores.open();
    bot = await seedShop(direct);
    proxy = await TcpProxy.start(Number(new URL(stores.url).port));
    const address = stores.behind(proxy);
    store = await stores.open({ address, patience: PATIENT });
    hasty = await stores.open({ address, patience: HASTY });
  });
  afterEach(async () => {
    proxy.mode = "pass";
    await stores[Symbol.asyncDispose]();
    await proxy[Symbol.asyncDispose]();
  });

  /** Begins and finishes a turn, so that the statements are prepared on the connections: only then does the next go out in one piece. */
  async function prepareStatements(of: PostgresStore): Promise<void> {
    const begun = await eventuallyBegun(of, "rq_0");
    const { turn, conversationId } = recordOf(bot, "rq_0");
    const result = { ...begun, bot, conversationId, turn, modelTokens: 1, isCounted: true };
    await eventually(async () => (await of.finishTurn(result).catch(refused)) === "finished");
  }

  /** A store without patience may have to try more than once, on a slow machine. */
  async function eventuallyBegun(of: PostgresStore, request: string): Promise<BegunTurn> {
    const record = recordOf(bot, request, { state: "unanswered", response: "" });
    let begun: BegunTurn | undefined;
    await eventually(async () => {
      const outcome = await of.beginTurn(record).catch(refused);
      if (outcome?.outcome === "begun") begun = { key: outcome.key, instance: outcome.instance };
      return begun !== undefined;
    });
    return begun!;
  }

  const eventuallyRecorded = (of: PostgresStore, request: string) => {
    const record = recordOf(bot, request);
    return eventually(async () => (await of.recordTurn(record).catch(refused)) === "recorded");
  };

  /** @throws what is no refusal. */
  function refused(error: unknown): undefined {
    if (!(error instanceof ServiceError)) throw error;
  }

  const used = () => direct.usage.read(bot, Date.now());
  const isStored = async (request: string, state = "complete") =>
    (await direct.conversations.findTurnByRequest(request))?.state === state;

  async function expectUnavailable(attempt: Promise<unknown>): Promise<void> {
    const error = await attempt.catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ServiceError);
    expect(error).toMatchObject({
      errorCode: "STORAGE_UNAVAILABLE",
      options: { headers: { "Retry-After": "5" } },
    });
  }

  test("that does not answer costs a message no more than its patience, and is used again when it does", async () => {
    proxy.mode = "freeze";
    const looks = await countLooks(async () => {
      await expectUnavailable(hasty.recordTurn(recordOf(bot, "rq_1")));
      await expectUnavailable(hasty.findConversation("cv_1", bot, 0));
      await expectUnavailable(hasty.assertWritable());
    });
    expect(looks * LOOK_EVERY_MS).toBeLessThan(3 * (HASTY.deadlineMs + HASTY.retryMs + 1000));
    proxy.mode = "pass";
    proxy.cut();
    await eventuallyRecorded(hasty, "rq_2");
    expect(await used()).toBe(1);
  });

  test("that is frozen has nobody wait in a queue for longer than that, however many come", async () => {
    proxy.mode = "freeze";
    const looks = await countLooks(async () => {
      const reads = Array.from({ length: 200 }, (_, n) => hasty.conversations.findTurnByRequest(`rq_${n}`));
      await Promise.all(reads.map(expectUnavailable));
    });
    expect(looks * LOOK_EVERY_MS).toBeLessThan(10 * HASTY.deadlineMs);
  });

  test("whose answer is lost after it has stored a message has it once, and the message is acknowledged", async () => {
    await store.recordTurn(recordOf(bot, "rq_1"));
    proxy.mode = "swallow";
    const answer = store.recordTurn(recordOf(bot, "rq_2"));
    await eventually(() => isStored("rq_2"));
    proxy.mode = "pass";
    proxy.cut();
    expect(await answer).toBe("recorded");
    expect(await used()).toBe(2);
    expect(await store.conversations.listTurns("cv_rq_2")).toHaveLength(1);
  });

  test("that is lost while a document is stored has it whole soon after, and its passages are told of once", async () => {
    const texts = Array.from({ length: 450 }, (_, n) => `Sentence ${n}.`);
    let told = 0;
    await store.knowledge.saveDocuments(bot, [documentOf("a.md", texts)], (passages) => {
      if (told === 0) proxy.cut();
      told += passages;
    });
    expect(told).toBe(450);
    expect(await store.knowledge.listDocuments(bot)).toMatchObject([{ place: "a.md", passages: 450 }]);
    expect(await store.knowledge.listPassageIds(bot)).toHaveLength(450);
  });

  test("whose answer is lost counts the tokens of a finished turn once", async () => {
    await prepareStatements(store);
    const begun = await eventuallyBegun(store, "rq_1");
    proxy.mode = "swallow";
    const { turn, conversationId } = recordOf(bot, "rq_1");
    const result = { ...begun, bot, conversationId, turn, modelTokens: 7, isCounted: true };
    const finished = store.finishTurn(result);
    await eventually(() => isStored("rq_1"));
    proxy.mode = "pass";
    proxy.cut();
    expect(await finished).toBe("finished");
    expect(await store.usage.readTokens(bot, Date.now())).toBe(1 + 7);
    expect(await used()).toBe(2);
  });

  /** The database does all that it is told meanwhile, and no answer comes, for longer than the patience lasts. */
  async function loseAnswersOf(
    attempt: () => Promise<unknown>,
    isDone: () => Promise<boolean>,
  ): Promise<void> {
    proxy.mode = "swallow";
    await expectUnavailable(attempt());
    await eventually(isDone);
    proxy.mode = "pass";
    proxy.cut();
  }

  test("that has stored an answer of which nobody heard keeps it, and counts it once, where the turn is then given back", async () => {
    await prepareStatements(hasty);
    const { conversationId, turn } = recordOf(bot, "rq_1");
    const begun = await eventuallyBegun(hasty, "rq_1");
    const result = { ...begun, bot, conversationId, turn, modelTokens: 7, isCounted: true };
    await loseAnswersOf(
      () => hasty.finishTurn(result),
      () => isStored("rq_1"),
    );
    const unanswered = { ...turn, state: "unanswered" as const, response: "" };
    expect(await store.finishTurn({ ...result, turn: unanswered, isCounted: false })).toBe("finished");
    expect(await direct.conversations.listTurns(conversationId)).toMatchObject([
      { state: "complete", response: turn.response },
    ]);
    expect(await used()).toBe(2);
    expect(await store.usage.readTokens(bot, Date.now())).toBe(1 + 7);
  });

  test("that has begun a turn of which nobody heard is told with the next heartbeat that it is given back", async () => {
    await eventually(async () => (await hasty.giveBackUnfinished().catch(refused)) === 0);
    await eventuallyRecorded(hasty, "rq_0");
    await loseAnswersOf(
      () => hasty.beginTurn(recordOf(bot, "rq_1", { state: "unanswered" })),
      () => isStored("rq_1", "unanswered"),
    );
    expect(await used()).toBe(2);
    let turns: number | undefined;
    await eventually(async () => {
      turns = (await hasty.renewLease(() => 0).catch(refused))?.turnsGivenBack;
      return turns !== undefined;
    });
    expect(turns).toBe(1);
    expect(await used()).toBe(1);
  });

  test("that is slow stores what it is given, once", async () => {
    await store.recordTurn(recordOf(bot, "rq_0"));
    proxy.delayMs = 60;
    const messages = Array.from({ length: 40 }, (_, n) => store.recordTurn(recordOf(bot, `rq_${n + 1}`)));
    expect(new Set(await Promise.all(messages))).toEqual(new Set(["recorded"]));
    expect(await used()).toBe(41);
  });

  test("that is slower than the patience is unavailable, and used again when it is not", async () => {
    await eventuallyRecorded(hasty, "rq_0");
    proxy.delayMs = HASTY.deadlineMs;
    await expectUnavailable(hasty.recordTurn(recordOf(bot, "rq_1")));
    proxy.delayMs = 0;
    proxy.cut();
    await eventuallyRecorded(hasty, "rq_2");
    // What was refused may have been stored by the last attempt, or still be: then it is there, and counted, once.
    await eventually(async () => {
      const turns = (await direct.conversations.listTurns("cv_rq_1")).length;
      return (await used()) === 2 + turns;
    });
  });

  test("whose disk is full stores and counts nothing, and is used again when there is room", async () => {
    await using sql = new SQL(stores.url, { max: 1 });
    await sql.unsafe(`
      CREATE FUNCTION fill_disk() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = 'disk_full'; END $$`);
    await sql.unsafe("CREATE TRIGGER disk BEFORE INSERT ON turns FOR EACH ROW EXECUTE FUNCTION fill_disk()");
    await expectUnavailable(store.recordTurn(recordOf(bot, "rq_1")));
    expect(await used()).toBe(0);
    await sql.unsafe("DROP TRIGGER disk ON turns");
    expect(await store.recordTurn(recordOf(bot, "rq_1"))).toBe("recorded");
    expect(await used()).toBe(1);
  });

  test("behind a pooler that keeps no prepared statements is used without them", async () => {
    const unprepared = await stores.open({ address: parseStoreAddress(`${stores.url}?prepare=false`) });
    const outcomes = Array.from({ length: 20 }, (_, n) =>
      unprepared.recordTurn(recordOf(bot, `rq_${n}`, {}, "cv_1")),
    );
    expect(new Set(await Promise.all(outcomes))).toEqual(new Set(["recorded"]));
    expect((await unprepared.findConversation("cv_1", bot, 0))?.turns).toHaveLength(20);
  });

  test("that cuts connections all the while loses no acknowledged message, and counts none twice", async () => {
    let isOver = false;
    const acknowledged: string[] = [];
    const cutting = (async () => {
      for (let [pauseMs, before] = [40, 0]; !isOver; before = acknowledged.length) {
        await Bun.sleep(pauseMs);
        // A slow machine connects and stores in its own time.
        pauseMs = acknowledged.length === before ? 2 * pauseMs : 40;
        proxy.cut();
      }
    })();
    const caller = async (name: number) => {
      for (let n = 0; n < 40; n += 1) {
        const request = `rq_${name}_${n}`;
        const outcome = await hasty.recordTurn(recordOf(bot, request)).catch(refused);
        if (outcome === "recorded") acknowledged.push(request);
      }
    };
    await Promise.all(Array.from({ length: 8 }, (_, name) => caller(name)));
    isOver = true;
    await cutting;
    const listTurns = () =>
      Array.fromAsync(direct.conversationSearch.find({ bot }), ({ latest }) => String(latest));
    const turns = await listTurns();
    expect(acknowledged.length).toBeGreaterThan(0);
    expect(acknowledged.filter((request) => !turns.includes(request))).toEqual([]);
    // What nobody waits for any more may still be stored, and is counted then.
    await eventually(async () => (await used()) === (await listTurns()).length);
  }, 120_000);

  test("that is a standby refuses messages as unavailable, and takes them when it is none any more", async () => {
    const { pathname } = new URL(stores.url);
    const become = async (mode: "on" | "off") => {
      await using sql = new SQL(stores.url, { max: 1 });
      await sql.unsafe("SET default_transaction_read_only = off");
      await sql.unsafe(`ALTER DATABASE ${pathname.slice(1)} SET default_transaction_read_only = ${mode}`);
    };
    await become("on");
    proxy.cut();
    await expectUnavailable(hasty.recordTurn(recordOf(bot, "rq_1")));
    await become("off");
    await eventuallyRecorded(hasty, "rq_2");
  });
});

test.skipIf(whyNoPostgres !== undefined || process.env["DATABASE_URL"] !== undefined)(
  "a PostgreSQL server that restarts under load is used again by itself, and nothing acknowledged is lost",
  async () => {
    const server = await startPostgres({ isKept: true });
    const address = parseStoreAddress(`postgres://parley@127.0.0.1:${server.port}/postgres`);
    const store = await PostgresStore.open({ address, now: Date.now });
    const bot = await seedShop(store);
    const acknowledged: string[] = [];
    let isOver = false;
    const caller = async (name: number) => {
      for (let n = 0; !isOver; n += 1) {
        const request = `rq_${name}_${n}`;
        const outcome = await store.recordTurn(recordOf(bot, request)).catch(() => Bun.sleep(20));
        if (outcome === "recorded") acknowledged.push(request);
      }
    };
    const callers = Array.from({ length: 8 }, (_, name) => caller(name));
    await eventually(() => acknowledged.length > 50);
    await server.stop();
    const before = acknowledged.length;
    const restarted = await startPostgres({ folder: server.folder, port: server.port });
    await eventually(() => acknowledged.length > before);
    isOver = true;
    await Promise.all(callers);
    const turns = await Array.fromAsync(store.conversationSearch.find({ bot }), ({ latest }) =>
      String(latest),
    );
    expect(new Set(acknowledged).isSubsetOf(new Set(turns))).toBe(true);
    expect(await store.usage.read(bot, Date.now())).toBe(turns.length);
    await store[Symbol.asyncDispose]();
    await restarted.stop();
  },
  2 * HANG_MS,
);
