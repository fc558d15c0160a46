/** Sparse vectors one after another: the entries of vector i stand from `offsets[i]` to `offsets[i + 1]`. */
export interface SparseRows {
  offsets: Int32Array;
  /** Of each entry, the row of the weight matrix that it is multiplied with. */
  rows: Int32Array;
  values: Float32Array;
}

/** Collects sparse vectors one by one, each without the rows that are not wanted. */
export class GrowingRows {
  readonly #isWanted: (row: number) => boolean;
  readonly #offsets = [0];
  #rows = new Int32Array(65_536);
  #values = new Float32Array(65_536);

  constructor(isWanted: (row: number) => boolean) {
    this.#isWanted = isWanted;
  }

  /** Adds one vector: the entries from `from` up to `to`. */
  add(rows: Int32Array, values: ArrayLike<number>, from: number, to: number): void {
    let at = this.#offsets.at(-1)!;
    if (at + to - from > this.#rows.length) this.#grow(2 * (at + to - from));
    for (let i = from; i < to; i++) {
      if (!this.#isWanted(rows[i]!)) continue;
      this.#rows[at] = rows[i]!;
      this.#values[at++] = values[i]!;
    }
    this.#offsets.push(at);
  }

  #grow(length: number): void {
    const [rows, values] = [this.#rows, this.#values];
    this.#rows = new Int32Array(length);
    this.#values = new Float32Array(length);
    this.#rows.set(rows);
    this.#values.set(values);
  }

  get all(): SparseRows {
    const length = this.#offsets.at(-1)!;
    return {
      offsets: Int32Array.from(this.#offsets),
      rows: this.#rows.subarray(0, length),
      values: this.#values.subarray(0, length),
    };
  }
}
