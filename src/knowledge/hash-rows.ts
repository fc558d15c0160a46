const EMPTY = -1;
const FIRST_SLOTS = 1024;

/** Numbers hashes from 0 in the order of their first occurrence: a hash table with open addressing, in flat arrays. */
export class HashRows {
  #slots = new Int32Array(FIRST_SLOTS).fill(EMPTY);
  #hashes = new Int32Array(FIRST_SLOTS / 2);
  #count = 0;

  get count(): number {
    return this.#count;
  }

  /** The row of a hash; a new hash gets the next row. */
  rowOf(hash: number): number {
    const slot = this.#slotOf(hash);
    const found = this.#slots[slot]!;
    if (found !== EMPTY) return found;
    if (this.#count === this.#hashes.length) this.#grow();
    this.#slots[this.#slotOf(hash)] = this.#count;
    this.#hashes[this.#count] = hash;
    return this.#count++;
  }

  /** The hashes by their rows; a copy. */
  hashes(): Int32Array {
    return this.#hashes.slice(0, this.#count);
  }

  /** Forgets all hashes. */
  clear(): void {
    this.#slots.fill(EMPTY);
    this.#count = 0;
  }

  #slotOf(hash: number): number {
    const mask = this.#slots.length - 1;
    let slot = hash & mask;
    while (this.#slots[slot] !== EMPTY && this.#hashes[this.#slots[slot]!] !== hash) slot = (slot + 1) & mask;
    return slot;
  }

  #grow(): void {
    const hashes = new Int32Array(2 * this.#hashes.length);
    hashes.set(this.#hashes);
    this.#hashes = hashes;
    this.#slots = new Int32Array(2 * this.#slots.length).fill(EMPTY);
    for (let row = 0; row < this.#count; row++) this.#slots[this.#slotOf(hashes[row]!)] = row;
  }
}
