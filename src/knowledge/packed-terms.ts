import { HashRows } from "./hash-rows.ts";
import { foldText, visitTerms } from "./terms.ts";

/** Counts are capped here: more occurrences add next to nothing to a score. */
export const MAX_COUNTED = 15;

/** Increment it when a passage's terms change: stored terms of another version are then computed again from the text. */
export const TERMS_VERSION = 1;

/** Bytes of a term: its hash, and a byte of counts. */
const TERM_BYTES = 5;
const HASH_BYTES = 4;
/** Counts in the title are stored in the bits above those of the whole passage. */
const TITLE_SHIFT = 4;

/** The terms of a passage as they are stored and indexed. */
export interface PackedTerms {
  /** Distinct terms, in the order in which they first occur. */
  hashes: Int32Array;
  /** For each, its occurrences in title and body together in the low four bits, and in the title alone in the high four. */
  counts: Uint8Array;
}

/** Occurrences in title and body of a byte of counts. */
export function countOf(counts: number): number {
  return counts & MAX_COUNTED;
}

/** Occurrences in the title alone. */
export function titleCountOf(counts: number): number {
  return counts >> TITLE_SHIFT;
}

/** Counts the terms of a passage. Its buffers are reused for every passage. */
class TermCounter {
  readonly #rows = new HashRows();
  #counts = new Uint8Array(1024);

  readonly addToTitle = (hash: number): void => {
    this.#add(hash, 1 + (1 << TITLE_SHIFT));
  };

  readonly addToBody = (hash: number): void => {
    this.#add(hash, 1);
  };

  /** Terms added since the last call. */
  take(): PackedTerms {
    const terms = { hashes: this.#rows.hashes(), counts: this.#counts.slice(0, this.#rows.count) };
    this.#counts.fill(0, 0, this.#rows.count);
    this.#rows.clear();
    return terms;
  }

  #add(hash: number, occurrence: number): void {
    const row = this.#rows.rowOf(hash);
    if (row === this.#counts.length) {
      const counts = new Uint8Array(2 * row);
      counts.set(this.#counts);
      this.#counts = counts;
    }
    if (countOf(this.#counts[row]!) < MAX_COUNTED) this.#counts[row]! += occurrence;
  }
}

const counter = new TermCounter();

/** The terms of a passage. @param title the titles of its document and of the headings above it. */
export function termsOfPassage(title: string, body: string): PackedTerms {
  visitTerms(foldText(title), counter.addToTitle);
  visitTerms(foldText(body), counter.addToBody);
  return counter.take();
}

/** Terms as bytes: all hashes, in the byte order of the machine, then all counts. */
export function packTerms({ hashes, counts }: PackedTerms): Uint8Array {
  const bytes = new Uint8Array(TERM_BYTES * counts.length);
  bytes.set(new Uint8Array(hashes.buffer, hashes.byteOffset, hashes.byteLength));
  bytes.set(counts, HASH_BYTES * counts.length);
  return bytes;
}

/** Unpacks passages into one buffer: each result is overwritten by the next. */
export class TermsUnpacker {
  #hashes = new Int32Array(1024);

  /** @throws RangeError if the bytes are not a whole number of terms. */
  unpack(bytes: Uint8Array): PackedTerms {
    const count = bytes.byteLength / TERM_BYTES;
    if (!Number.isInteger(count)) throw new RangeError(`${bytes.byteLength} bytes are no packed terms`);
    if (count > this.#hashes.length) this.#hashes = new Int32Array(2 * count);
    // Copies, because an Int32Array needs an aligned offset, which the bytes may lack.
    new Uint8Array(this.#hashes.buffer).set(bytes.subarray(0, HASH_BYTES * count));
    return { hashes: this.#hashes.subarray(0, count), counts: bytes.subarray(HASH_BYTES * count) };
  }
}
