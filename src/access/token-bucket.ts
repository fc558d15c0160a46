import type { RateLimit } from "../domain/bot.ts";
import type { Now } from "../domain/time.ts";
import { type BucketState, type RateLimiter, thousandthsPerMinute } from "./rate-limiter.ts";
import { steadyClock } from "./steady-clock.ts";

/** One message, so that a thousandth of a message a minute refills exactly one unit a millisecond. */
const MESSAGE = 60_000 * 1000;
const CALLERS_PER_SHARED_BUCKET = 64;
const SWEPT_PER_TAKE = 4;

/** All whole numbers, so that no rounding ever adds up: debts stay below 2^53. */
interface Bucket {
  /** Units missing from a full bucket at `atMs`. */
  debt: number;
  atMs: number;
  /** Units refilled a millisecond. */
  refill: number;
}

interface TokenBucketOptions {
  /** Callers with a bucket of their own; the memory bound, at about 0.4 kB each. */
  maxCallers: number;
  /** Best a monotonic clock; one that is set back costs callers a second at most. */
  now: Now;
  /** Spreads callers beyond `maxCallers` over shared buckets; secret and random, so that nobody can choose whom to share with. */
  hashSeed: number;
}

export interface TokenBuckets extends RateLimiter {
  take(callerKey: string, limit: RateLimit): BucketState;
  peek(callerKey: string, limit: RateLimit): BucketState;
  /** Callers that have a bucket of their own at present. */
  readonly callers: number;
}

/**
 * An exact token bucket per caller: never more messages than capacity + refill × time in any span, and never a refusal
 * while a whole message is there. `perMinute` counts in thousandths; time counts in whole milliseconds.
 *
 * A full bucket is as good as none, so each take drops a few of them. While `maxCallers` buckets are in use, further callers
 * share a fixed number of others. To share a bucket, or to leave one, can only be stricter than the exact bucket.
 */
export function createTokenBuckets({ maxCallers, now, hashSeed }: TokenBucketOptions): TokenBuckets {
  const clock = steadyClock(now);
  const own = new Map<string, Bucket>();
  const shared = fullBuckets(Math.ceil(maxCallers / CALLERS_PER_SHARED_BUCKET));
  const sweep = sweeperOf(own);
  const slotOf = (callerKey: string) => Bun.hash.xxHash32(callerKey, hashSeed) % shared.length;
  const mustShare = (callerKey: string) => own.size >= maxCallers && !own.has(callerKey);

  /** The caller's bucket as it stands. One that is new owes what the bucket owes that the caller may have shared. */
  function standing(callerKey: string, limit: RateLimit, nowMs: number): Bucket {
    const before = own.get(callerKey) ?? shared[slotOf(callerKey)]!;
    const debt = debtAt(before, nowMs);
    const refill = thousandthsPerMinute(limit);
    // Debts of several callers must not shrink faster than the slowest of them allows.
    const slowest = mustShare(callerKey) && debt > 0 ? Math.min(refill, before.refill) : refill;
    return { debt, atMs: nowMs, refill: slowest };
  }

  function keep(callerKey: string, bucket: Bucket): void {
    if (mustShare(callerKey)) shared[slotOf(callerKey)] = bucket;
    else own.set(callerKey, bucket);
  }

  return {
    take(callerKey, limit) {
      const nowMs = clock();
      sweep(nowMs);
      const bucket = standing(callerKey, limit, nowMs);
      const allowed = holdsMessage(bucket, limit);
      if (allowed) bucket.debt += MESSAGE;
      keep(callerKey, bucket);
      return stateOf(bucket, limit, allowed);
    },
    peek(callerKey, limit) {
      const bucket = standing(callerKey, limit, clock());
      return stateOf(bucket, limit, holdsMessage(bucket, limit));
    },
    get callers() {
      return own.size;
    },
  };
}

function fullBuckets(count: number): Bucket[] {
  return Array.from({ length: count }, () => ({ debt: 0, atMs: 0, refill: 0 }));
}

/** Looks at the next few buckets at each call, round and round, and drops those that are full. */
function sweeperOf(buckets: Map<string, Bucket>): (nowMs: number) => void {
  let unswept = buckets.entries();
  return (nowMs) => {
    for (let i = 0; i < SWEPT_PER_TAKE; i++) {
      const next = unswept.next();
      if (next.done === true) {
        unswept = buckets.entries();
        return;
      }
      const [callerKey, bucket] = next.value;
      if (debtAt(bucket, nowMs) === 0) buckets.delete(callerKey);
    }
  };
}

function debtAt(bucket: Bucket, nowMs: number): number {
  return Math.max(0, bucket.debt - (nowMs - bucket.atMs) * bucket.refill);
}

function holdsMessage(bucket: Bucket, limit: RateLimit): boolean {
  return bucket.debt <= (limit.capacity - 1) * MESSAGE;
}

function stateOf({ debt, refill }: Bucket, limit: RateLimit, allowed: boolean): BucketState {
  const excess = debt - (limit.capacity - 1) * MESSAGE;
  return {
    allowed,
    remaining: Math.max(0, 1 + Math.floor(-excess / MESSAGE)),
    retryAfterMs: Math.max(0, Math.ceil(excess / refill)),
    fullInMs: Math.ceil(debt / refill),
  };
}
