import { BucketServer, SharedBuckets } from "../../../src/access/shared-buckets/bucket-server.ts";
import { TokenBuckets } from "../../../src/access/token-bucket.ts";
import type { RateLimit } from "../../../src/domain/bot.ts";
import { SecretUrl } from "../../../src/domain/secret-url.ts";
import { readNumberOptions } from "../../support/number-options.ts";
import { TestRedis } from "../../support/redis-server.ts";

const CALLERS = 10_000;
const LIMIT: RateLimit = { capacity: 1_000_000, perMinute: 20 };
const WARM_UP_MS = 500;

/** Cost of a take from the shared buckets with so many callers at a time. */
export interface BucketFigures {
  callers: number;
  takesPerSecond: number;
  p50Ms: number;
  p99Ms: number;
  /** Of this process; the server's comes on top. */
  cpuMicroseconds: number;
}

/** Measures one instance against a server of Redis at `url`. */
export async function measureBuckets(
  url: string,
  { callers, seconds }: { callers: number; seconds: number },
): Promise<BucketFigures> {
  const log = { info() {}, warn: (line: unknown) => console.log(line) };
  using server = new BucketServer({ url: new SecretUrl(url), log, onChange() {} });
  await server.start();
  const own = new TokenBuckets({ maxCallers: 2 * CALLERS, now: () => performance.now(), hashKey: [1, 1] });
  const buckets = new SharedBuckets({ kind: "caller", server, own });
  await takeFor(buckets, callers, WARM_UP_MS);
  const before = process.cpuUsage();
  const latencies = await takeFor(buckets, callers, seconds * 1000);
  const { user, system } = process.cpuUsage(before);
  if (!server.isUp) throw new Error("the server of the buckets was lost");
  latencies.sort();
  return {
    callers,
    takesPerSecond: latencies.length / seconds,
    p50Ms: latencies[latencies.length >> 1]!,
    p99Ms: latencies[Math.floor(latencies.length * 0.99)]!,
    cpuMicroseconds: (user + system) / latencies.length,
  };
}

/** @returns the milliseconds of every take */
async function takeFor(buckets: SharedBuckets, callers: number, milliseconds: number): Promise<Float64Array> {
  const latencies: number[] = [];
  const until = performance.now() + milliseconds;
  await Promise.all(
    Array.from({ length: callers }, async (_, first) => {
      for (let turn = first; performance.now() < until; turn += callers) {
        const startedAt = performance.now();
        const { allowed } = await buckets.take(`token 192.0.2.${turn % CALLERS}`, LIMIT);
        if (!allowed) throw new Error("a bucket of a million messages was empty");
        latencies.push(performance.now() - startedAt);
      }
    }),
  );
  return Float64Array.from(latencies);
}

if (import.meta.main) {
  const { seconds } = readNumberOptions(process.argv.slice(2), { seconds: 3 });
  await using redis = await TestRedis.start();
  console.log("callers   takes a second   p50 ms   p99 ms   CPU µs a take");
  for (const callers of [1, 16, 64]) {
    const { takesPerSecond, p50Ms, p99Ms, cpuMicroseconds } = await measureBuckets(redis.url, {
      callers,
      seconds,
    });
    const columns: [number | string, number][] = [
      [callers, 7],
      [takesPerSecond.toFixed(0), 17],
      [p50Ms.toFixed(3), 9],
      [p99Ms.toFixed(2), 9],
      [cpuMicroseconds.toFixed(1), 16],
    ];
    console.log(columns.map(([text, width]) => String(text).padStart(width)).join(""));
  }
}
