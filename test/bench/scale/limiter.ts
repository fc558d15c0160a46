/** A million callers in the rate limiter, in a process of its own: prints bytes and nanoseconds for each as JSON. */
import { TokenBuckets } from "../../../src/access/token-bucket.ts";

/** Memory and time of a caller. */
export interface LimiterCost {
  callers: number;
  bytesEach: number;
  newNanoseconds: number;
  knownNanoseconds: number;
}

const CALLERS = 1_000_000;
const TOKENS = 8;
const LIMIT = { capacity: 10, perMinute: 20 };
const BYTE = 256;

/** The key of a caller as admission makes it: a short name of the embed token, and the client's address. */
function callerKey(caller: number): string {
  const bytes = [caller >>> 24, caller >>> 16, caller >>> 8, caller].map((value) => (value >>> 0) % BYTE);
  return `${caller % TOKENS} ${bytes.join(".")}`;
}

function takeAll(buckets: TokenBuckets): number {
  const startedAt = performance.now();
  for (let caller = 0; caller < CALLERS; caller += 1) buckets.take(callerKey(caller), LIMIT);
  return ((performance.now() - startedAt) * 1e6) / CALLERS;
}

/** Memory of the keys alone, which are not the limiter's. */
function makeKeys(): number {
  const startedAt = performance.now();
  let length = 0;
  for (let caller = 0; caller < CALLERS; caller += 1) length += callerKey(caller).length;
  if (length === 0) throw new Error("no keys");
  return ((performance.now() - startedAt) * 1e6) / CALLERS;
}

if (import.meta.main) {
  makeKeys();
  const keyNanoseconds = makeKeys();
  Bun.gc(true);
  const before = process.memoryUsage.rss();
  // The clock stands still, so that no bucket fills up and is dropped.
  const buckets = new TokenBuckets({ now: () => 1, hashKey: [1, 2], maxCallers: CALLERS });
  const newNanoseconds = takeAll(buckets) - keyNanoseconds;
  const knownNanoseconds = takeAll(buckets) - keyNanoseconds;
  Bun.gc(true);
  const bytesEach = (process.memoryUsage.rss() - before) / CALLERS;
  if (!buckets.take(callerKey(0), LIMIT).allowed) throw new Error("a caller was refused");
  const cost: LimiterCost = { callers: CALLERS, bytesEach, newNanoseconds, knownNanoseconds };
  console.log(JSON.stringify(cost));
}
