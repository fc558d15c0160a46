import { BucketRecords } from "./bucket-records.ts";
import type { KeyedHash } from "./keyed-hash.ts";

/** A power of two, as all sizes. */
const FIRST_PLACES = 8;
/** Minimum share of used places at which the table grows. A search then looks at three or four places. */
const MAX_FILL = 0.75;

/**
 * Buckets by the hash of their caller, with open addressing: 32 bytes a place, and 43 to 85 for each caller. It grows to twice its size in
 * one step (3,000 buckets: a millisecond at most), and never shrinks.
 */
export class BucketTable {
  #records = new BucketRecords(FIRST_PLACES);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** The records, until the next `add`. */
  get records(): BucketRecords {
    return this.#records;
  }

  /** The place of a caller's bucket; −1 if there is none. */
  find({ low, high }: Pick<KeyedHash, "low" | "high">): number {
    const records = this.#records;
    const mask = records.length - 1;
    for (let place = low & mask; records.isUsed(place); place = (place + 1) & mask) {
      if (records.lowOf(place) === low && records.highOf(place) === high) return place;
    }
    return -1;
  }

  /** Makes room for a caller that has no bucket. @returns its place. */
  add({ low, high }: Pick<KeyedHash, "low" | "high">): number {
    if (this.#size + 1 > this.#records.length * MAX_FILL) this.#grow();
    const place = freePlace(this.#records, low);
    this.#records.use(place, low, high);
    this.#size++;
    return place;
  }

  /** Removes the bucket at a place. Afterwards, another bucket may be at this place. */
  removeAt(place: number): void {
    const records = this.#records;
    const mask = records.length - 1;
    let gap = place;
    for (let next = (gap + 1) & mask; records.isUsed(next); next = (next + 1) & mask) {
      // A bucket may move forward, but not before the place where its search begins.
      const distance = (next - (records.lowOf(next) & mask)) & mask;
      if (distance < ((next - gap) & mask)) continue;
      records.copy(records, next, gap);
      gap = next;
    }
    records.free(gap);
    this.#size--;
  }

  #grow(): void {
    const before = this.#records;
    this.#records = new BucketRecords(2 * before.length);
    for (let place = 0; place < before.length; place++) {
      if (before.isUsed(place)) {
        this.#records.copy(before, place, freePlace(this.#records, before.lowOf(place)));
      }
    }
  }
}

function freePlace(records: BucketRecords, low: number): number {
  const mask = records.length - 1;
  let place = low & mask;
  while (records.isUsed(place)) place = (place + 1) & mask;
  return place;
}
