import type { RateLimit } from "../domain/bot.ts";
import type { Now } from "../domain/time.ts";
import { type BucketState, type RateLimiter, thousandthsPerMinute } from "./rate-limiter.ts";
import { steadyClock } from "./steady-clock.ts";

/** One message, so that a thousandth of a message a minute refills exactly one unit a millisecond. */
export const MESSAGE = 60_000 * 1000;
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

/**
 * An exact token bucket per caller: never more messages than capacity + refill × time in any span, and never a refusal
 * while a whole message is there. `perMinute` counts in thousandths; time counts in whole milliseconds.
 *
 * A full bucket is as good as none, so each take drops a few of them. While `maxCallers` buckets are in use, further callers
 * share a fixed number of others. To share a bucket, or to leave one, can only be stricter than the exact bucket.
 */
export class TokenBuckets implements RateLimiter {
  readonly #clock: Now;
  readonly #maxCallers: number;
  readonly #hashSeed: number;
  readonly #own = new Map<string, Bucket>();
  readonly #shared: Bucket[];
  #unswept = this.#own.entries();

  constructor({ maxCallers, now, hashSeed }: TokenBucketOptions) {
    this.#clock = steadyClock(now);
    this.#maxCallers = maxCallers;
    this.#hashSeed = hashSeed;
    const sharedCount = Math.ceil(maxCallers / CALLERS_PER_SHARED_BUCKET);
    this.#shared = Array.from({ length: sharedCount }, () => ({ debt: 0, atMs: 0, refill: 0 }));
  }

  /** Callers that have a bucket of their own at present. */
  get callers(): number {
    return this.#own.size;
  }

  take(callerKey: string, limit: RateLimit): BucketState {
    const nowMs = this.#clock();
    this.#sweep(nowMs);
    const bucket = this.#standing(callerKey, limit, nowMs);
    const allowed = holdsMessage(bucket, limit);
    if (allowed) bucket.debt += MESSAGE;
    this.#keep(callerKey, bucket);
    return stateOf(bucket, limit, allowed);
  }

  peek(callerKey: string, limit: RateLimit): BucketState {
    const bucket = this.#standing(callerKey, limit, this.#clock());
    return stateOf(bucket, limit, holdsMessage(bucket, limit));
  }

  #sweep(nowMs: number): void {
    for (let i = 0; i < SWEPT_PER_TAKE; i++) {
      const next = this.#unswept.next();
      if (next.done === true) {
        this.#unswept = this.#own.entries();
        return;
      }
      const [callerKey, bucket] = next.value;
      if (debtAt(bucket, nowMs) === 0) this.#own.delete(callerKey);
    }
  }

  /** The caller's bucket as it stands. One that is new owes what the bucket owes that the caller may have shared. */
  #standing(callerKey: string, limit: RateLimit, nowMs: number): Bucket {
    const before = this.#own.get(callerKey) ?? this.#shared[this.#slotOf(callerKey)]!;
    const debt = debtAt(before, nowMs);
    const refill = thousandthsPerMinute(limit);
    // Debts of several callers must not shrink faster than the slowest of them allows.
    const slowest = this.#mustShare(callerKey) && debt > 0 ? Math.min(refill, before.refill) : refill;
    return { debt, atMs: nowMs, refill: slowest };
  }

  #keep(callerKey: string, bucket: Bucket): void {
    if (this.#mustShare(callerKey)) this.#shared[this.#slotOf(callerKey)] = bucket;
    else this.#own.set(callerKey, bucket);
  }

  #mustShare(callerKey: string): boolean {
    return this.#own.size >= this.#maxCallers && !this.#own.has(callerKey);
  }

  #slotOf(callerKey: string): number {
    return Bun.hash.xxHash32(callerKey, this.#hashSeed) % this.#shared.length;
  }
}

function debtAt(bucket: Bucket, nowMs: number): number {
  return Math.max(0, bucket.debt - (nowMs - bucket.atMs) * bucket.refill);
}

function holdsMessage(bucket: Bucket, limit: RateLimit): boolean {
  return bucket.debt <= (limit.capacity - 1) * MESSAGE;
}

/** How a caller with so much debt stands. Pure. */
export function stateOf(
  { debt, refill }: Pick<Bucket, "debt" | "refill">,
  limit: RateLimit,
  allowed: boolean,
): BucketState {
  const excess = debt - (limit.capacity - 1) * MESSAGE;
  return {
    allowed,
    remaining: Math.max(0, 1 + Math.floor(-excess / MESSAGE)),
    retryAfterMs: Math.max(0, Math.ceil(excess / refill)),
    fullInMs: Math.ceil(debt / refill),
  };
}
