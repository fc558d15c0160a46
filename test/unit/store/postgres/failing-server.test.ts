import { afterEach, beforeEach, describe, expect, test } from "bun:test";

import { SQL } from "bun";

import { parseStoreAddress } from "../../../../src/config/store-address.ts";
import { ServiceError } from "../../../../src/domain/errors.ts";
import type { BotKey } from "../../../../src/store/interface/bots.ts";
import { PostgresStore } from "../../../../src/store/postgres/postgres-store.ts";
import { documentOf } from "../../../support/knowledge.ts";
import { startPostgres, whyNoPostgres } from "../../../support/postgres-server.ts";
import { PostgresStores, recordOf, seedShop } from "../../../support/postgres-stores.ts";
import { TcpProxy } from "../../../support/tcp-proxy.ts";

/** Short, so that the tests are. */
const PATIENCE = { deadlineMs: 400, retryMs: 600 };

describe.skipIf(whyNoPostgres !== undefined)("a PostgreSQL server", () => {
  let stores: PostgresStores;
  let proxy: TcpProxy;
  let store: PostgresStore;
  let bot: BotKey;

  beforeEach(async () => {
    stores = await PostgresStores.create();
    bot = await seedShop(await stores.open());
    proxy = await TcpProxy.start(Number(new URL(stores.url).port));
    const url = new URL(stores.url);
    url.port = String(proxy.port);
    store = await stores.open({ address: parseStoreAddress(url.href), patience: PATIENCE });
  });
  afterEach(async () => {
    proxy.mode = "pass";
    await stores[Symbol.asyncDispose]();
    await proxy[Symbol.asyncDispose]();
  });

  /** Begins and finishes a turn, so that the statements are prepared on the connections: only then does the next go out in one piece. */
  async function prepareStatements(): Promise<void> {
    const begun = await store.beginTurn(recordOf(bot, "rq_0", { state: "unanswered" }));
    if (begun.outcome !== "begun") throw new Error(begun.outcome);
    const { turn, conversationId } = recordOf(bot, "rq_0");
    await store.finishTurn({ ...begun, bot, conversationId, turn, modelTokens: 1, isCounted: true });
  }

  const used = async () => (await stores.open()).usage.read(bot, Date.now());

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
    const startedAt = performance.now();
    await expectUnavailable(store.recordTurn(recordOf(bot, "rq_1")));
    await expectUnavailable(store.findConversation("cv_1", bot, 0));
    await expectUnavailable(store.assertWritable());
    expect(performance.now() - startedAt).toBeLessThan(3 * (PATIENCE.deadlineMs + PATIENCE.retryMs + 1000));
    proxy.mode = "pass";
    proxy.cut();
    expect(await store.recordTurn(recordOf(bot, "rq_2"))).toBe("recorded");
    expect(await used()).toBe(1);
  });

  test("that is frozen has nobody wait in a queue for longer than that, however many come", async () => {
    proxy.mode = "freeze";
    const startedAt = performance.now();
    const reads = Array.from({ length: 200 }, (_, n) => store.conversations.findTurnByRequest(`rq_${n}`));
    await Promise.all(reads.map(expectUnavailable));
    expect(performance.now() - startedAt).toBeLessThan(10 * PATIENCE.deadlineMs);
  });

  test("whose answer is lost after it has stored a message has it once, and the message is acknowledged", async () => {
    await store.recordTurn(recordOf(bot, "rq_1"));
    proxy.mode = "swallow";
    const answer = store.recordTurn(recordOf(bot, "rq_2"));
    await Bun.sleep(150);
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
    await prepareStatements();
    const begun = await store.beginTurn(recordOf(bot, "rq_1", { state: "unanswered" }));
    if (begun.outcome !== "begun") throw new Error(begun.outcome);
    proxy.mode = "swallow";
    const { turn, conversationId } = recordOf(bot, "rq_1");
    const { key, instance } = begun;
    const finished = store.finishTurn({
      key,
      instance,
      bot,
      conversationId,
      turn,
      modelTokens: 7,
      isCounted: true,
    });
    await Bun.sleep(150);
    proxy.mode = "pass";
    proxy.cut();
    expect(await finished).toBe("finished");
    expect(await store.usage.readTokens(bot, Date.now())).toBe(1 + 7);
    expect(await used()).toBe(2);
  });

  /** The database does all that it is told meanwhile, and no answer comes, for longer than the patience lasts. */
  async function loseAnswersOf(attempt: () => Promise<unknown>): Promise<void> {
    proxy.mode = "swallow";
    await expectUnavailable(attempt());
    proxy.mode = "pass";
    proxy.cut();
  }

  test("that has stored an answer of which nobody heard keeps it, and counts it once, where the turn is then given back", async () => {
    await prepareStatements();
    const { conversationId, turn } = recordOf(bot, "rq_1");
    const begun = await store.beginTurn(recordOf(bot, "rq_1", { state: "unanswered", response: "" }));
    if (begun.outcome !== "begun") throw new Error(begun.outcome);
    const result = { ...begun, bot, conversationId, turn, modelTokens: 7, isCounted: true };
    await loseAnswersOf(() => store.finishTurn(result));
    const unanswered = { ...turn, state: "unanswered" as const, response: "" };
    expect(await store.finishTurn({ ...result, turn: unanswered, isCounted: false })).toBe("finished");
    expect(await store.conversations.listTurns(conversationId)).toMatchObject([
      { state: "complete", response: turn.response },
    ]);
    expect(await used()).toBe(2);
    expect(await store.usage.readTokens(bot, Date.now())).toBe(1 + 7);
  });

  test("that has begun a turn of which nobody heard is told with the next heartbeat that it is given back", async () => {
    await store.giveBackUnfinished();
    await store.recordTurn(recordOf(bot, "rq_0"));
    await loseAnswersOf(() => store.beginTurn(recordOf(bot, "rq_1", { state: "unanswered" })));
    expect(await used()).toBe(2);
    expect((await store.renewLease(() => 0)).turnsGivenBack).toBe(1);
    expect(await used()).toBe(1);
  });

  test("that is slow stores what it is given, once", async () => {
    await store.recordTurn(recordOf(bot, "rq_0"));
    proxy.delayMs = 60;
    const startedAt = performance.now();
    const messages = Array.from({ length: 40 }, (_, n) => store.recordTurn(recordOf(bot, `rq_${n + 1}`)));
    expect(new Set(await Promise.all(messages))).toEqual(new Set(["recorded"]));
    expect(performance.now() - startedAt).toBeGreaterThan(2 * proxy.delayMs);
    expect(await used()).toBe(41);
  });

  test("that is slower than the patience is unavailable, and used again when it is not", async () => {
    await store.recordTurn(recordOf(bot, "rq_0"));
    proxy.delayMs = PATIENCE.deadlineMs;
    await expectUnavailable(store.recordTurn(recordOf(bot, "rq_1")));
    proxy.delayMs = 0;
    proxy.cut();
    expect(await store.recordTurn(recordOf(bot, "rq_2"))).toBe("recorded");
    // What was refused may have been stored by the last attempt: then it is there, and counted, once.
    const turns = (await store.conversations.listTurns("cv_rq_1")).length;
    expect(await used()).toBe(2 + turns);
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
    const cutting = (async () => {
      while (!isOver) {
        await Bun.sleep(40);
        proxy.cut();
      }
    })();
    const acknowledged: string[] = [];
    const caller = async (name: number) => {
      for (let n = 0; n < 40; n += 1) {
        const request = `rq_${name}_${n}`;
        const outcome = await store.recordTurn(recordOf(bot, request)).catch(() => "failed");
        if (outcome === "recorded") acknowledged.push(request);
      }
    };
    await Promise.all(Array.from({ length: 8 }, (_, name) => caller(name)));
    isOver = true;
    await cutting;
    const turns = await Array.fromAsync(store.conversationSearch.find({ bot }), ({ latest }) =>
      String(latest),
    );
    expect(acknowledged.length).toBeGreaterThan(0);
    expect(acknowledged.filter((request) => !turns.includes(request))).toEqual([]);
    expect(await used()).toBe(turns.length);
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
    await expectUnavailable(store.recordTurn(recordOf(bot, "rq_1")));
    await become("off");
    expect(await store.recordTurn(recordOf(bot, "rq_2"))).toBe("recorded");
  });
});

test.skipIf(whyNoPostgres !== undefined || process.env["DATABASE_URL"] !== undefined)(
  "a PostgreSQL server that restarts under load is used again within three seconds, and nothing acknowledged is lost",
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
    await Bun.sleep(300);
    await server.stop();
    const before = acknowledged.length;
    const restarted = await startPostgres({ folder: server.folder, port: server.port });
    const backAt = performance.now();
    while (acknowledged.length === before) await Bun.sleep(10);
    expect(performance.now() - backAt).toBeLessThan(3000);
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
  60_000,
);
