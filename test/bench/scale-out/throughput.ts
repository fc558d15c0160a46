import type { Goal } from "../goals.ts";
import {
  type Load,
  MEASURED_HEAD,
  type Measured,
  measureLoad,
  measuredLine,
  middleOf,
} from "../load/measure.ts";
import { dataFolder } from "../servers/data-folder.ts";
import { type BenchServer, serveParley, serveStoreless } from "../servers/serve.ts";
import { chatRequests, seedSameShop, seedShop, type Shop, TURNS } from "../servers/shop.ts";
import { type ClientCost, measureClientCost } from "./client-cost.ts";
import type { Databases } from "./databases.ts";
import { type RoundTrips, measureRoundTrips } from "./round-trips.ts";

const ROUNDS = 3;
const WARM_UP_SECONDS = 2;
/** The conversation of a measure at one caller: so long that nearly every message reads one, or so short that none does. */
const GOES_ON_TURNS = 1000;

/** A load against one of the servers. */
interface Row extends Load {
  server: BenchServer;
  shop: Shop;
}

/** Compares PostgreSQL with SQLite, and with no store at all, each in the same rounds. */
export async function measureThroughput(databases: Databases, seconds: number): Promise<Goal[]> {
  using seeded = dataFolder("disk");
  const shop = await seedShop(seeded.path);
  const url = await databases.create();
  const env = { PARLEY_STORE: url };
  const there = await seedSameShop(shop, seeded.path, env);
  await using opened = new AsyncDisposableStack();
  const copy = (place: "disk" | "memory") => opened.use(dataFolder(place, seeded.path)).path;
  const sqlite = opened.use(await serveParley(copy("disk")));
  const postgres = opened.use(await serveParley(copy("disk"), { env }));
  const shared = opened.use(
    await serveParley(copy("disk"), { env: { ...env, PARLEY_BUCKETS: databases.redis.url } }),
  );
  const storeless = opened.use(await serveStoreless(copy("memory")));
  const [many, one] = [
    { callers: 64, turns: TURNS },
    { callers: 1, turns: TURNS },
  ];
  const figures = await measureRows(
    {
      sqlite: { ...many, server: sqlite, shop },
      postgres: { ...many, server: postgres, shop: there },
      shared: { ...many, server: shared, shop: there },
      storeless: { ...many, server: storeless, shop },
      first: { ...one, turns: 1, server: postgres, shop: there },
      storelessFirst: { ...one, turns: 1, server: storeless, shop },
      goesOn: { ...one, turns: GOES_ON_TURNS, server: postgres, shop: there },
      storelessGoesOn: { ...one, turns: GOES_ON_TURNS, server: storeless, shop },
    },
    seconds,
  );
  const roundTrips = await measureRoundTrips(url, shop.botId);
  const cost = await measureClientCost({ url, redisUrl: databases.redis.url, botId: shop.botId }, seconds);
  printParts(roundTrips, cost);
  return goalsOf(figures, roundTrips, cost);
}

const NAMES = {
  sqlite: "SQLite on disk, 64 callers",
  postgres: "PostgreSQL, 64 callers",
  shared: "PostgreSQL and Redis, 64 callers",
  storeless: "no store, 64 callers",
  first: "PostgreSQL, 1 caller, first messages",
  storelessFirst: "no store, 1 caller, first messages",
  goesOn: "PostgreSQL, 1 caller, messages that go on",
  storelessGoesOn: "no store, 1 caller, messages that go on",
};
type RowName = keyof typeof NAMES;
type Figures = Record<RowName, Measured>;

/** Rows take turns, so that a noisy moment meets all of them. */
async function measureRows(rows: Record<RowName, Row>, seconds: number): Promise<Figures> {
  const entries = Object.entries(rows) as [RowName, Row][];
  const rounds = new Map(entries.map(([name]) => [name, [] as Measured[]]));
  for (let round = 0; round <= ROUNDS; round += 1) {
    process.stderr.write(round === 0 ? "warming up\n" : `round ${round} of ${ROUNDS}\n`);
    for (const [name, { server, shop, ...load }] of entries) {
      const requests = chatRequests(server.url, shop);
      const length = round === 0 ? WARM_UP_SECONDS : seconds;
      const measured = await measureLoad(server, { ...load, requests, seconds: length });
      if (round > 0) rounds.get(name)!.push(measured);
    }
  }
  const figures = entries.map(([name]) => [name, middleOf(rounds.get(name)!)] as const);
  console.log(`the round in the middle of ${ROUNDS} by throughput, ${seconds} s each\n${MEASURED_HEAD}`);
  for (const [name, measured] of figures) console.log(measuredLine(NAMES[name], measured));
  return Object.fromEntries(figures) as Figures;
}

function printParts({ store, readAndStore }: RoundTrips, cost: ClientCost): void {
  console.log(
    `\nby the bare driver, one after another, p50: to store ${store.toFixed(2)} ms, to read and store ${readAndStore.toFixed(2)} ms`,
  );
  console.log(
    `processor of the storing process, 64 callers: store ${cost.store.toFixed(1)} µs, buckets ${cost.buckets.toFixed(1)} µs a message`,
  );
}

function goalsOf(figures: Figures, { store, readAndStore }: RoundTrips, cost: ClientCost): Goal[] {
  const { sqlite, postgres } = figures;
  const added = (name: "first" | "goesOn", without: "storelessFirst" | "storelessGoesOn") =>
    figures[name].p50Ms - figures[without].p50Ms;
  return [
    {
      what: "/chat through PostgreSQL to SQLite, 64 callers",
      value: postgres.perSecond / sqlite.perSecond,
      atLeast: 0.6,
    },
    {
      what: "CPU a message for store and buckets: µs",
      value: cost.store + cost.buckets,
      atMost: 20,
    },
    {
      what: "1 caller, first messages, p50 over the round trip: ms",
      value: added("first", "storelessFirst") - store,
      atMost: 0.3,
    },
    {
      what: "1 caller, going on, p50 over the round trips: ms",
      value: added("goesOn", "storelessGoesOn") - readAndStore,
      atMost: 0.3,
    },
  ];
}
