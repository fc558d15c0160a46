import type { Goal } from "../goals.ts";
import { MEASURED_HEAD, type Measured, measureLoad, measuredLine, middleOf } from "../load/measure.ts";
import { dataFolder } from "../servers/data-folder.ts";
import { type BenchServer, serveParley, serveStoreless } from "../servers/serve.ts";
import { chatRequests, seedSameShop, seedShop, type Shop, TURNS } from "../servers/shop.ts";
import { type ClientCost, measureClientCost } from "./client-cost.ts";
import type { Databases } from "./databases.ts";
import { measureSingleCaller } from "./single-caller.ts";

const ROUNDS = 3;
const WARM_UP_SECONDS = 2;
const CALLERS = 64;

/** A load against one of the servers. */
interface Row {
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
  const figures = await measureRows(
    {
      sqlite: { server: sqlite, shop },
      postgres: { server: postgres, shop: there },
      shared: { server: shared, shop: there },
      storeless: { server: storeless, shop },
    },
    seconds,
  );
  const single = await measureSingleCaller(
    { postgres: { server: postgres, shop: there }, storeless: { server: storeless, shop }, url },
    seconds,
  );
  const cost = await measureClientCost({ url, redisUrl: databases.redis.url, botId: shop.botId }, seconds);
  return [...goalsOf(figures, cost), ...single];
}

const NAMES = {
  sqlite: "SQLite on disk, 64 callers",
  postgres: "PostgreSQL, 64 callers",
  shared: "PostgreSQL and Redis, 64 callers",
  storeless: "no store, 64 callers",
};
type RowName = keyof typeof NAMES;
type Figures = Record<RowName, Measured>;

/** Rows take turns, so that a noisy moment affects all of them. */
async function measureRows(rows: Record<RowName, Row>, seconds: number): Promise<Figures> {
  const entries = Object.entries(rows) as [RowName, Row][];
  const rounds = new Map(entries.map(([name]) => [name, [] as Measured[]]));
  for (let round = 0; round <= ROUNDS; round += 1) {
    process.stderr.write(round === 0 ? "warming up\n" : `round ${round} of ${ROUNDS}\n`);
    for (const [name, { server, shop }] of entries) {
      const requests = chatRequests(server.url, shop);
      const length = round === 0 ? WARM_UP_SECONDS : seconds;
      const measured = await measureLoad(server, {
        callers: CALLERS,
        turns: TURNS,
        requests,
        seconds: length,
      });
      if (round > 0) rounds.get(name)!.push(measured);
    }
  }
  const figures = entries.map(([name]) => [name, middleOf(rounds.get(name)!)] as const);
  console.log(`the round in the middle of ${ROUNDS} by throughput, ${seconds} s each\n${MEASURED_HEAD}`);
  for (const [name, measured] of figures) console.log(measuredLine(NAMES[name], measured));
  return Object.fromEntries(figures) as Figures;
}

function goalsOf({ sqlite, postgres, storeless }: Figures, { store, buckets }: ClientCost): Goal[] {
  console.log(
    `\nprocessor of the storing process, ${CALLERS} callers: store ${store.toFixed(1)} µs, buckets ${buckets.toFixed(1)} µs a message; a message without a store took ${storeless.cpuMicroseconds.toFixed(1)} µs`,
  );
  return [
    {
      what: "/chat through PostgreSQL to SQLite, 64 callers",
      value: postgres.perSecond / sqlite.perSecond,
      atLeast: 0.6,
    },
    { what: "CPU a message for store and buckets: µs", value: store + buckets, atMost: 20 },
  ];
}
