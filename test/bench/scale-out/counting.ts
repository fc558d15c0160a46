import { parseStoreAddress } from "../../../src/config/store-address.ts";
import { newConversationId, newRequestId, secureRandomBytes } from "../../../src/domain/ids.ts";
import { CountBehind } from "../../../src/store/count-behind.ts";
import type { BotKey } from "../../../src/store/interface/bots.ts";
import type { Store } from "../../../src/store/interface/store.ts";
import { PostgresStore, SERVER_PATIENCE } from "../../../src/store/postgres/postgres-store.ts";
import { SqliteStore } from "../../../src/store/sqlite/sqlite-store.ts";
import { shopBot } from "../../support/bots.ts";
import { turnWith } from "../../support/turns.ts";
import { wordAt } from "../console/fill.ts";
import type { Goal } from "../goals.ts";
import { dataFolder } from "../servers/data-folder.ts";
import type { Databases } from "./databases.ts";

const STORED = 30_000;
const CALLERS = 64;
/** Messages a second that arrive while turns are counted. */
const ARRIVING = 200;
const MAX_MS = 30_000;
/** Words of a short question with its answer. */
const [INPUT_WORDS, RESPONSE_WORDS] = [8, 22];

/** Measures how many turns a second are counted, as a running server does, after 30,000 were stored: at rest, and while messages arrive. */
export async function measureCounting(databases: Databases): Promise<Goal[]> {
  using folder = dataFolder("disk");
  const stores: [string, Store][] = [
    [
      "PostgreSQL",
      await PostgresStore.open({
        address: parseStoreAddress(await databases.create()),
        now: Date.now,
        patience: SERVER_PATIENCE,
      }),
    ],
    ["SQLite", new SqliteStore({ dataDir: folder.path, now: Date.now, busyTimeoutMs: 1000 })],
  ];
  const goals: Goal[] = [];
  for (const [name, store] of stores) {
    await store.bots.seed([shopBot()], { prune: false, dryRun: false });
    const bot = (await store.bots.find("shop"))!.key;
    for (const arriving of [0, ARRIVING]) {
      await storeTurns(store, bot, STORED);
      const what = `${name}: turns counted a second${arriving > 0 ? `, ${arriving} messages arriving` : ""}`;
      const value = await measure(name, store, bot, arriving);
      if (store.file === undefined) goals.push({ what, value, atLeast: 2000 });
      else console.log(`${what}: ${value.toFixed(0)}`);
    }
    await store[Symbol.asyncDispose]();
  }
  return goals;
}

async function storeTurns(store: Store, bot: BotKey, count: number): Promise<void> {
  let left = count;
  const call = async () => {
    while (left-- > 0) await storeTurn(store, bot);
  };
  await Promise.all(Array.from({ length: CALLERS }, call));
}

async function storeTurn(store: Store, bot: BotKey): Promise<void> {
  const at = Date.now();
  const turn = turnWith({
    requestId: newRequestId(at, secureRandomBytes),
    at,
    input: words(INPUT_WORDS),
    response: words(RESPONSE_WORDS),
  });
  await store.recordTurn({ bot, conversationId: newConversationId(at, secureRandomBytes), turn });
}

/** Random words; frequent ones come often. */
function words(count: number): string {
  return Array.from({ length: count }, () => wordAt(Math.floor(20_000 ** Math.random()) - 1)).join(" ");
}

async function measure(name: string, store: Store, bot: BotKey, arriving: number): Promise<number> {
  const log = { info: () => {}, error: (fields: unknown) => console.error(fields) };
  const counted = () => countTurns(store);
  const [before, startedAt] = [await counted(), performance.now()];
  const waits: number[] = [];
  const arrive = () => {
    const began = performance.now();
    void storeTurn(store, bot).then(() => waits.push(performance.now() - began));
  };
  const timer = arriving > 0 ? setInterval(arrive, 1000 / arriving) : undefined;
  {
    using _ = new CountBehind({ store, log });
    while ((await counted()) - before < STORED && performance.now() - startedAt < MAX_MS)
      await Bun.sleep(100);
  }
  clearInterval(timer);
  const aSecond = ((await counted()) - before) / ((performance.now() - startedAt) / 1000);
  const p99 = waits.toSorted((a, b) => a - b)[Math.floor(waits.length * 0.99)];
  if (p99 !== undefined)
    console.log(`${name}: a turn is stored in ${p99.toFixed(1)} ms beside counting (p99 of ${waits.length})`);
  return aSecond;
}

async function countTurns({ analytics }: Store): Promise<number> {
  const outcomes = await analytics.countOutcomes({
    bucket: "day",
    from: Date.now() - 10 * 86_400_000,
    to: Date.now() + 1,
  });
  return outcomes.reduce((sum, { turns }) => sum + turns, 0);
}
