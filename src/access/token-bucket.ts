import type { RateLimit } from "../domain/bot.ts";
import type { Now } from "../domain/time.ts";
import { BucketRecords } from "./bucket-records.ts";
import { BucketTable } from "./bucket-table.ts";
import { type HashKey, KeyedHash } from "./keyed-hash.ts";
import { type BucketState, type RateLimiter, thousandthsPerMinute } from "./rate-limiter.ts";

/** Units of one message. A limit of a thousandth of a message a minute then refills exactly one unit a millisecond. */
export const MESSAGE = 60_000 * 1000;
const CALLERS_PER_SHARED_BUCKET = 64;
/** Places looked at in each take, to drop full buckets. At least a quarter of a table's places are free. */
const SWEPT_PER_TAKE = 8;
/**
 * Callers per table on average. One table of all callers would hold up messages for ten milliseconds when it grows; one of this size takes a
 * millisecond at most. Its 8,192 places have room for 6,144 callers, so that an uneven spread of callers hardly ever fills a table.
 */
const CALLERS_PER_TABLE = 5500;

/** A token bucket in whole numbers: debts stay below 2^53, so that no rounding errors add up. */
interface Bucket {
  /** Units missing from a full bucket at `atMs`. */
  debt: number;
  atMs: number;
  /** Units refilled a millisecond. */
  refill: number;
}

/** Where a bucket is kept. */
interface Place {
  records: BucketRecords;
  place: number;
}

/** The bucket that limits a caller, and where it is kept. */
interface Kept extends Place {
  /** The caller's own, the one that it has to share, or one that it may have shared, and leaves now. */
  holds: "own" | "shared" | "nothing";
}

interface TokenBucketOptions {
  /** Callers with a bucket of their own; the memory bound, at 43 to 85 bytes each. */
  maxCallers: number;
  /** Preferably a monotonic clock; if another one is set back, callers lose a second at most. */
  now: Now;
  /** Key of the hash that chooses a caller's place. Secret and random: otherwise a caller could choose with whom to share a bucket. */
  hashKey: HashKey;
}

/**
 * An exact token bucket per caller: never more messages than capacity + refill × time in any span, and never a refusal
 * while a whole message is there. `perMinute` counts in thousandths; time counts in whole milliseconds.
 *
 * A full bucket limits nothing, so each take drops a few full ones. While `maxCallers` buckets are in use, further callers share a fixed
 * number of others; a shared bucket is never more generous than an exact one.
 *
 * A caller is identified by 64 bits of a keyed hash. The probability that two of 200,000 callers share these bits, and so a bucket, is one in
 * a billion.
 */
export class TokenBuckets implements RateLimiter {
  readonly #clock: Now;
  readonly #maxCallers: number;
  readonly #hash: KeyedHash;
  /** Each holds the callers of some hashes. */
  readonly #own: readonly BucketTable[];
  readonly #shared: BucketRecords;
  #callers = 0;
  #sweptTable = 0;
  #sweptPlace = 0;

  constructor({ maxCallers, now, hashKey }: TokenBucketOptions) {
    this.#clock = steadyClock(now);
    this.#maxCallers = maxCallers;
    this.#hash = new KeyedHash(hashKey);
    this.#own = Array.from({ length: Math.ceil(maxCallers / CALLERS_PER_TABLE) }, () => new BucketTable());
    this.#shared = new BucketRecords(Math.ceil(maxCallers / CALLERS_PER_SHARED_BUCKET));
  }

  /** Callers that have a bucket of their own at present. */
  get callers(): number {
    return this.#callers;
  }

  take(callerKey: string, limit: RateLimit): BucketState {
    const nowMs = this.#clock();
    this.#sweep(nowMs);
    const kept = this.#find(callerKey);
    const bucket = standing(kept, limit, nowMs);
    const allowed = holdsMessage(bucket, limit);
    if (allowed) bucket.debt += MESSAGE;
    this.#keep(kept, bucket);
    return stateOf(bucket, limit, allowed);
  }

  peek(callerKey: string, limit: RateLimit): BucketState {
    const bucket = standing(this.#find(callerKey), limit, this.#clock());
    return stateOf(bucket, limit, holdsMessage(bucket, limit));
  }

  #sweep(nowMs: number): void {
    const table = this.#own[this.#sweptTable]!;
    for (let looked = 0; looked < SWEPT_PER_TAKE; looked++) {
      if (this.#sweptPlace >= table.records.length) return this.#sweepNextTable();
      const { records } = table;
      const place = this.#sweptPlace;
      if (records.isUsed(place) && debtAt({ records, place }, nowMs) === 0) {
        table.removeAt(place);
        this.#callers--;
      } else {
        this.#sweptPlace++;
      }
    }
  }

  #sweepNextTable(): void {
    this.#sweptTable = (this.#sweptTable + 1) % this.#own.length;
    this.#sweptPlace = 0;
  }

  /** Where the caller's bucket is; if the caller has none, the bucket that it shares, or may have shared. */
  #find(callerKey: string): Kept {
    this.#hash.read(callerKey);
    const table = this.#table();
    const place = table.find(this.#hash);
    if (place >= 0) return { records: table.records, place, holds: "own" };
    const holds = this.#callers >= this.#maxCallers ? "shared" : "nothing";
    return { records: this.#shared, place: this.#hash.high % this.#shared.length, holds };
  }

  #keep({ records, place, holds }: Kept, bucket: Bucket): void {
    if (holds !== "nothing") return write(records, place, bucket);
    const table = this.#table();
    const added = table.add(this.#hash);
    write(table.records, added, bucket);
    this.#callers++;
  }

  #table(): BucketTable {
    return this.#own[this.#hash.high % this.#own.length]!;
  }
}

function write(records: BucketRecords, place: number, { debt, atMs, refill }: Bucket): void {
  records.setBucket(place, debt, atMs, refill);
}

/** The bucket's state now. A new bucket starts with the debt of the shared bucket that the caller may have used before. */
function standing(kept: Kept, limit: RateLimit, nowMs: number): Bucket {
  const debt = debtAt(kept, nowMs);
  const refill = thousandthsPerMinute(limit);
  // Debts of several callers must not shrink faster than the slowest of them allows.
  const isShared = debt > 0 && kept.holds === "shared";
  return {
    debt,
    atMs: nowMs,
    refill: isShared ? Math.min(refill, kept.records.refillOf(kept.place)) : refill,
  };
}

function debtAt({ records, place }: Place, nowMs: number): number {
  return Math.max(0, records.debtOf(place) - (nowMs - records.atOf(place)) * records.refillOf(place));
}

function holdsMessage(bucket: Bucket, limit: RateLimit): boolean {
  return bucket.debt <= (limit.capacity - 1) * MESSAGE;
}

/** The state of a caller with this debt. Pure. */
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

const STANDSTILL_MS = 1000;

/**
 * Whole milliseconds that never run backwards. If `now` falls back by up to a second, time stops until it has
 * caught up; a larger step back means that the clock was set, and time continues from the last value.
 */
export function steadyClock(now: Now): Now {
  let offset = 0;
  let latest = Math.floor(now());
  return () => {
    const reading = Math.floor(now()) + offset;
    if (reading < latest - STANDSTILL_MS) offset += latest - reading;
    else latest = Math.max(latest, reading);
    return latest;
  };
}
