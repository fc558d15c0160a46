import { expect, test } from "bun:test";

import { ServiceError } from "../../../../src/domain/errors.ts";
import { Pool } from "../../../../src/store/postgres/pool.ts";
import { Reachability } from "../../../../src/store/postgres/reachability.ts";
import { HANG_MS, eventually } from "../../../support/eventually.ts";
import { whyNoPostgres } from "../../../support/postgres-server.ts";
import { HASTY, PATIENT, PostgresStores, recordOf, seedShop } from "../../../support/postgres-stores.ts";
import { TcpProxy } from "../../../support/tcp-proxy.ts";

const ONE = { text: "SELECT 1 AS one", answer: [{ one: 1 }] };
/** Whoever waits as long has been left waiting: the test ends before. */
const ENDLESS = { deadlineMs: 10 * HANG_MS, retryMs: 10 * HANG_MS };

test.skipIf(whyNoPostgres !== undefined)(
  "where one has tried in vain, the next are refused at once, and served as soon as the server answers again",
  async () => {
    await using stores = await PostgresStores.create();
    await using proxy = await TcpProxy.start(Number(new URL(stores.url).port));
    const address = stores.behind(proxy);
    await using server = new Reachability(address);
    await using first = new Pool({ address, connections: 1, ...HASTY }, server);
    await using next = new Pool({ address, connections: 1, ...ENDLESS }, server);
    expect([...(await next.query(ONE.text))]).toEqual(ONE.answer);
    proxy.mode = "freeze";
    await expect(first.query(ONE.text)).rejects.toBeInstanceOf(ServiceError);
    await eventually(() => server.isDown);
    const refused = Array.from({ length: 100 }, () => next.query(ONE.text).catch((error: unknown) => error));
    for (const error of await Promise.all(refused)) {
      expect(error).toMatchObject({
        errorCode: "STORAGE_UNAVAILABLE",
        options: { headers: { "Retry-After": "5" } },
      });
    }
    proxy.mode = "pass";
    proxy.cut();
    await eventually(() => !server.isDown);
    expect([...(await next.query(ONE.text))]).toEqual(ONE.answer);
  },
  2 * HANG_MS,
);

test.skipIf(whyNoPostgres !== undefined)(
  "a statement that takes too long says nothing of the server, and nobody else is refused",
  async () => {
    await using stores = await PostgresStores.create();
    await using server = new Reachability(stores.address);
    await using hasty = new Pool(
      { address: stores.address, connections: 1, deadlineMs: 20, retryMs: 0 },
      server,
    );
    await using other = new Pool({ address: stores.address, connections: 1, ...PATIENT }, server);
    await expect(hasty.query("SELECT pg_sleep(600)")).rejects.toBeInstanceOf(ServiceError);
    for (let look = 0; look < 100; look += 1) expect([...(await other.query(ONE.text))]).toEqual(ONE.answer);
    expect(server.isDown).toBe(false);
  },
  2 * HANG_MS,
);

test.skipIf(whyNoPostgres !== undefined)(
  "messages that were refused at once have begun no turn, and none is owed to be given back",
  async () => {
    await using stores = await PostgresStores.create();
    const bot = await seedShop(await stores.open());
    await using proxy = await TcpProxy.start(Number(new URL(stores.url).port));
    const store = await stores.open({ address: stores.behind(proxy), patience: HASTY });
    await store.giveBackUnfinished();
    await store.recordTurn(recordOf(bot, "rq_0"));
    proxy.mode = "freeze";
    const begin = (request: string) =>
      store
        .beginTurn(recordOf(bot, request, { state: "unanswered", response: "" }))
        .catch((error: unknown) => error);
    await eventually(async () => {
      const error = await begin(crypto.randomUUID());
      return error instanceof ServiceError && (error.cause as Error).name === "UnsentError";
    });
    const tried = await Promise.all(Array.from({ length: 50 }, (_, n) => begin(`rq_refused_${n}`)));
    expect(tried.map((error) => ((error as ServiceError).cause as Error).name)).toEqual(
      Array.from({ length: 50 }, () => "UnsentError"),
    );
    proxy.mode = "pass";
    proxy.cut();
    let given: number | undefined;
    await eventually(async () => {
      const news = await store.renewLease(() => 0).catch(() => undefined);
      given = news?.turnsGivenBack;
      return given !== undefined;
    });
    expect(given).toBeLessThan(50);
  },
  2 * HANG_MS,
);
