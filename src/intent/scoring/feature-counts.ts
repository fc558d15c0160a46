/**
 * How often features occur in a text. They are found by open addressing in memory that is as small as the text, so that it stays in the cache
 * whatever the size of the model. Filled again for every text.
 */
export class FeatureCounts {
  /** Each feature once, by its row of the model, in the order in which they are first met; and how often it was met. */
  rows = new Int32Array(1024);
  counts = new Int32Array(1024);
  length = 0;
  /** Places of features in `rows`. One is in use where its stamp is that of the present text. */
  #places = new Int32Array(2048);
  #stamps = new Uint32Array(2048);
  #stamp = 0;

  /** Empties it, and makes room for so many features. */
  begin(most: number): void {
    this.length = 0;
    this.#stamp = (this.#stamp + 1) >>> 0;
    if (most <= this.rows.length && this.#stamp !== 0) return;
    const room = 2 ** Math.ceil(Math.log2(Math.max(most, this.rows.length)));
    this.rows = new Int32Array(room);
    this.counts = new Int32Array(room);
    this.#places = new Int32Array(2 * room);
    this.#stamps = new Uint32Array(2 * room);
    this.#stamp = 1;
  }

  /** Counts a feature once more. @returns its place. */
  add(row: number): number {
    const mask = this.#places.length - 1;
    let slot = Math.imul(row, 0x9e_37_79_b1) >>> 12;
    for (slot &= mask; this.#stamps[slot] === this.#stamp; slot = (slot + 1) & mask) {
      const place = this.#places[slot]!;
      if (this.rows[place] !== row) continue;
      this.counts[place]! += 1;
      return place;
    }
    this.#stamps[slot] = this.#stamp;
    this.#places[slot] = this.length;
    this.rows[this.length] = row;
    this.counts[this.length] = 1;
    return this.length++;
  }
}
