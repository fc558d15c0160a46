/** Bytes of a record: two numbers of 64 bits, then four of 32. */
const RECORD_BYTES = 32;
const FLOATS = RECORD_BYTES / Float64Array.BYTES_PER_ELEMENT;
const INTS = RECORD_BYTES / Uint32Array.BYTES_PER_ELEMENT;
/** Places of the parts in a record, in numbers of their own size. */
const DEBT = 0;
const AT = 1;
const REFILL = 4;
const LOW = 5;
const HIGH = 6;
const IS_USED = 7;

/** Token buckets in one block of memory, by their place. `Bucket` of `token-bucket.ts` describes their fields. */
export class BucketRecords {
  readonly length: number;
  readonly #floats: Float64Array;
  readonly #ints: Uint32Array;

  constructor(length: number) {
    this.length = length;
    const buffer = new ArrayBuffer(length * RECORD_BYTES);
    this.#floats = new Float64Array(buffer);
    this.#ints = new Uint32Array(buffer);
  }

  debtOf(place: number): number {
    return this.#floats[place * FLOATS + DEBT]!;
  }

  atOf(place: number): number {
    return this.#floats[place * FLOATS + AT]!;
  }

  refillOf(place: number): number {
    return this.#ints[place * INTS + REFILL]!;
  }

  lowOf(place: number): number {
    return this.#ints[place * INTS + LOW]!;
  }

  highOf(place: number): number {
    return this.#ints[place * INTS + HIGH]!;
  }

  isUsed(place: number): boolean {
    return this.#ints[place * INTS + IS_USED] === 1;
  }

  setBucket(place: number, debt: number, at: number, refill: number): void {
    this.#floats[place * FLOATS + DEBT] = debt;
    this.#floats[place * FLOATS + AT] = at;
    this.#ints[place * INTS + REFILL] = refill;
  }

  use(place: number, low: number, high: number): void {
    this.#ints[place * INTS + LOW] = low;
    this.#ints[place * INTS + HIGH] = high;
    this.#ints[place * INTS + IS_USED] = 1;
  }

  free(place: number): void {
    this.#ints[place * INTS + IS_USED] = 0;
  }

  /** Puts a record of these, or of others, at a place. */
  copy(from: BucketRecords, source: number, place: number): void {
    this.setBucket(place, from.debtOf(source), from.atOf(source), from.refillOf(source));
    this.use(place, from.lowOf(source), from.highOf(source));
  }
}
