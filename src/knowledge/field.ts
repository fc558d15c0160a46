import { B, K1 } from "./bm25.ts";
import { COUNT_BITS, COUNT_MASK, findTerm, postingOf, type Postings } from "./postings.ts";

/**
 * One way to look at the passages of an index: as texts with their titles, or at the titles alone. Passages go by their numbers. Those
 * that are added later stand in a tail of their own.
 */
export class Field {
  readonly #main: Postings;
  readonly #tail = new Map<number, number[]>();
  /** Occurrences of all terms in each passage. There is room for more. */
  #lengths: Uint32Array;
  #totalLength: number;
  /** Living passages that hold a term, where it is not simply all that hold it; forgotten when one is removed or added. */
  readonly #frequencies = new Map<number, number>();

  constructor(main: Postings) {
    this.#main = main;
    this.#lengths = main.lengths;
    this.#totalLength = main.lengths.reduce((sum, length) => sum + length, 0);
  }

  /** Occurrences of all terms in all living passages. */
  get totalLength(): number {
    return this.#totalLength;
  }

  /** Adds a passage that holds these terms so often; 0 where it does not. */
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

  /** How many passages hold a term. @param live absent: all are. */
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
