import { B, K1 } from "./bm25.ts";
import { COUNT_BITS, COUNT_MASK, findTerm, postingOf, type Postings } from "./postings.ts";

/**
 * One field of an index: the passages' titles and bodies together, or their titles only. Passages are identified by their numbers. Passages
 * that are added later are stored in a separate tail.
 */
export class Field {
  readonly #main: Postings;
  readonly #tail = new Map<number, number[]>();
  /** Occurrences of all terms in each passage, with spare capacity. */
  #lengths: Uint32Array;
  #totalLength: number;
  /** Number of current passages with a term, if some with it were removed or added; cleared by each removal and addition. */
  readonly #frequencies = new Map<number, number>();

  constructor(main: Postings) {
    this.#main = main;
    this.#lengths = main.lengths;
    this.#totalLength = main.lengths.reduce((sum, length) => sum + length, 0);
  }

  /** Occurrences of all terms in all current passages. */
  get totalLength(): number {
    return this.#totalLength;
  }

  /** Adds a passage with these numbers of occurrences; 0: the term does not occur in this field. */
  add(number: number, hashes: Int32Array, countAt: (i: number) => number): void {
    this.#frequencies.clear();
    let length = 0;
    hashes.forEach((hash, i) => {
      const occurrences = countAt(i);
      if (occurrences > 0) this.#append(hash, postingOf(number, occurrences));
      length += occurrences;
    });
    this.#reserve(number);
    this.#lengths[number] = length;
    this.#totalLength += length;
  }

  remove(number: number): void {
    this.#frequencies.clear();
    this.#totalLength -= this.#lengths[number]!;
  }

  /** Number of passages with a term. @param live absent: all passages are current. */
  frequencyOf(hash: number, live?: Uint8Array): number {
    if (live === undefined) return this.#lists(hash).reduce((sum, { length }) => sum + length, 0);
    const known = this.#frequencies.get(hash);
    if (known !== undefined) return known;
    let frequency = 0;
    for (const list of this.#lists(hash)) frequency += countLiving(list, live);
    this.#frequencies.set(hash, frequency);
    return frequency;
  }

  /** Adds the score of a term of this weight to each passage that contains it, including removed ones. */
  score(hash: number, weight: number, averageLength: number, scores: Float64Array): void {
    const lengths = this.#lengths;
    const fixed = K1 * (1 - B);
    const perLength = (K1 * B) / averageLength;
    const most = weight * (K1 + 1);
    for (const list of this.#lists(hash)) {
      for (let i = 0; i < list.length; i++) {
        const posting = list[i]!;
        const occurrences = posting & COUNT_MASK;
        const number = posting >>> COUNT_BITS;
        scores[number]! += (most * occurrences) / (occurrences + fixed + perLength * lengths[number]!);
      }
    }
  }

  #lists(hash: number): (Uint32Array | number[])[] {
    const lists: (Uint32Array | number[])[] = [];
    const term = findTerm(this.#main, hash);
    const { postings, offsets } = this.#main;
    if (term >= 0) lists.push(postings.subarray(offsets[term], offsets[term + 1]));
    const added = this.#tail.get(hash);
    if (added) lists.push(added);
    return lists;
  }

  #append(hash: number, posting: number): void {
    const list = this.#tail.get(hash);
    if (list) list.push(posting);
    else this.#tail.set(hash, [posting]);
  }

  #reserve(number: number): void {
    if (number < this.#lengths.length) return;
    const lengths = new Uint32Array(Math.max(64, 2 * number));
    lengths.set(this.#lengths);
    this.#lengths = lengths;
  }
}

function countLiving(list: ArrayLike<number>, live: Uint8Array): number {
  let living = 0;
  for (let i = 0; i < list.length; i++) living += live[list[i]! >>> COUNT_BITS]!;
  return living;
}
