const EMPTY = -1;

/** Maps 32-bit hashes to row numbers by open addressing; two flat arrays, so that it can be stored and wrapped as it is. */
export class HashIndex {
  readonly keys: Int32Array;
  readonly rows: Int32Array;
  readonly #mask: number;

  /** @param keys,rows of equal length, a power of two, never full; a row of −1 marks a free slot. */
  constructor(keys: Int32Array, rows: Int32Array) {
    this.keys = keys;
    this.rows = rows;
    this.#mask = keys.length - 1;
  }

  static withRoomFor(count: number): HashIndex {
    const slots = 2 ** Math.ceil(Math.log2(Math.max(4, count * 2)));
    return new HashIndex(new Int32Array(slots), new Int32Array(slots).fill(EMPTY));
  }

  /** The key's row, or −1. */
  find(key: number): number {
    return this.rows[this.#slotOf(key)]!;
  }

  /** Gives a new key its row; a known key gets another one. */
  set(key: number, row: number): void {
    const slot = this.#slotOf(key);
    this.keys[slot] = key;
    this.rows[slot] = row;
  }

  #slotOf(key: number): number {
    let slot = key & this.#mask;
    while (this.rows[slot] !== EMPTY && this.keys[slot] !== key) slot = (slot + 1) & this.#mask;
    return slot;
  }
}
