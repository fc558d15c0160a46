import { HashRows } from "./hash-rows.ts";

/** A posting is one number: the occurrences of the term in these low bits, the number of the passage in the bits above. */
export const COUNT_BITS = 4;
export const COUNT_MASK = 15;

/** An inverted index in flat arrays: for each term, a posting for every passage that contains it, in the order of the passages. */
export interface Postings {
  /** The hash of each term; sorted, for binary search. */
  hashes: Int32Array;
  /** The postings of term i are at `offsets[i]` to `offsets[i + 1]`. */
  offsets: Uint32Array;
  postings: Uint32Array;
  /** Occurrences of all terms in each passage. */
  lengths: Uint32Array;
}

export function postingOf(number: number, occurrences: number): number {
  return ((number << COUNT_BITS) | occurrences) >>> 0;
}

/** Index of a term among the hashes; −1 if no passage contains it. */
export function findTerm({ hashes }: Postings, hash: number): number {
  let low = 0;
  let high = hashes.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (hashes[middle]! < hash) low = middle + 1;
    else high = middle;
  }
  return hashes[low] === hash ? low : -1;
}

/** A byte holds a term's occurrences in two fields of a passage (`PackedTerms`). This reads those in one field; 0 if there are none. */
type CountOf = (counts: number) => number;

/**
 * Builds the postings of one field in two passes over the same passages, because keeping them all in memory would need much more of it:
 * `count` for each passage, `reserve` once, `place` for each passage, then `finish`.
 */
export class PostingsBuilder {
  readonly #rows = new HashRows();
  /** By row of `#rows`: until `reserve` the number of passages with the term, afterwards the index of its next posting. */
  #perRow = new Uint32Array(1024);
  #made: Postings | undefined;

  count(hashes: Int32Array, counts: Uint8Array, countOf: CountOf): void {
    for (let i = 0; i < hashes.length; i++) {
      if (countOf(counts[i]!) === 0) continue;
      const row = this.#rows.rowOf(hashes[i]!);
      if (row === this.#perRow.length) this.#perRow = grown(this.#perRow);
      this.#perRow[row]!++;
    }
  }

  /** Allocates the arrays. @param passages number of counted passages. */
  reserve(passages: number): void {
    const hashes = this.#rows.hashes().toSorted();
    const offsets = new Uint32Array(hashes.length + 1);
    for (let term = 0; term < hashes.length; term++) {
      const row = this.#rows.rowOf(hashes[term]!);
      offsets[term + 1] = offsets[term]! + this.#perRow[row]!;
      this.#perRow[row] = offsets[term]!;
    }
    const postings = new Uint32Array(offsets[hashes.length]!);
    this.#made = { hashes, offsets, postings, lengths: new Uint32Array(passages) };
  }

  /** Passages must be those that were counted, in the order of their numbers. */
  place(number: number, hashes: Int32Array, counts: Uint8Array, countOf: CountOf): void {
    const { postings, lengths } = this.finish();
    for (let i = 0; i < hashes.length; i++) {
      const occurrences = countOf(counts[i]!);
      if (occurrences === 0) continue;
      const row = this.#rows.rowOf(hashes[i]!);
      postings[this.#perRow[row]!++] = postingOf(number, occurrences);
      lengths[number]! += occurrences;
    }
  }

  /** @throws Error before `reserve` */
  finish(): Postings {
    if (!this.#made) throw new Error("`reserve` was not called");
    return this.#made;
  }
}

function grown(old: Uint32Array): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(2 * old.length);
  larger.set(old);
  return larger;
}
