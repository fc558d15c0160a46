import type { Goal } from "../goals.ts";
import { connectTo } from "../load/http-socket.ts";
import { type PlannedRequest } from "../load/plan.ts";
import { dataFolder } from "../servers/data-folder.ts";
import { type BenchServer, serveParley } from "../servers/serve.ts";
import { chatRequests, seedSameShop, type Shop } from "../servers/shop.ts";
import type { Databases } from "./databases.ts";

const INSTANCES = 3;
const CALLERS = 64;
/** Messages in each bucket. Each token of the shop has a bucket; a tenth more messages are sent. */
const CAPACITY = 250;
const ASKED = 1.1;
/** So slow that nothing is refilled while the bucket is emptied. */
const REFILL_PER_MINUTE = "0.001";
const OK = 200;
const TOO_MANY = 429;

/** Empties the buckets of the shop's tokens over three instances at once, and counts the answered messages. */
export async function measureSharedLimit(databases: Databases): Promise<Goal[]> {
  using folder = dataFolder("disk");
  const url = await databases.create();
  const env = { PARLEY_STORE: url, PARLEY_BUCKETS: databases.redis.url };
  const shop = await seedSameShop(
    { botId: "acme-support", tokens: [], messages: ["hello"] },
    folder.path,
    env,
  );
  const limits = { rateLimitCapacity: String(CAPACITY), rateLimitPerMinute: REFILL_PER_MINUTE };
  await using opened = new AsyncDisposableStack();
  const servers: BenchServer[] = [];
  while (servers.length < INSTANCES) {
    servers.push(opened.use(await serveParley(folder.path, { env, limits })));
  }
  const startedAt = performance.now();
  const answered = await flood(servers, shop);
  const seconds = (performance.now() - startedAt) / 1000;
  const held = CAPACITY * shop.tokens.length;
  console.log(
    `\n${shop.tokens.length} buckets of ${CAPACITY}, emptied over ${INSTANCES} instances by ${CALLERS} callers in ${seconds.toFixed(1)} s: ${answered} of ${held} came through`,
  );
  return [
    {
      what: "buckets over three instances: messages off the mark",
      value: Math.abs(answered - held),
      atMost: 0,
    },
  ];
}

/** @returns how many messages were answered. */
async function flood(servers: readonly BenchServer[], shop: Shop): Promise<number> {
  const plans = servers.map(({ url }) => chatRequests(url, shop));
  const asked = Math.ceil(CAPACITY * shop.tokens.length * ASKED);
  let [sent, answered] = [0, 0];
  const call = async (_: unknown, caller: number) => {
    const plan = plans[caller % plans.length]!;
    const socket = await connectTo(servers[caller % servers.length]!.url);
    while (sent < asked) {
      const { status } = await socket.send(textOf(plan[sent++ % plan.length]!));
      if (status === OK) answered += 1;
      else if (status !== TOO_MANY) throw new Error(`answered ${status}`);
    }
    socket.close();
  };
  await Promise.all(Array.from({ length: CALLERS }, call));
  return answered;
}

function textOf({ head, body = "" }: PlannedRequest): string {
  return `${head}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}
