import { readFileSync } from "node:fs";

import realWordFile from "./real-words.bin" with { type: "file" };

let hashes: Int32Array | undefined;

/**
 * Words that are no mistakes, though no example of a bot holds them: whole words among the encoder's pieces, in all its languages, and words
 * of test/support/general-requests (made by test/bench/intent/make-real-words.ts). Ascending hashes, as `hashWord` makes them; 0.3 MB,
 * read when the first is asked for.
 */
export const REAL_WORDS = {
  /** The word's place; −1 where it is none of them. */
  find(hash: number): number {
    const all = (hashes ??= openRealWords());
    let [from, to] = [0, all.length];
    while (from < to) {
      const middle = (from + to) >>> 1;
      if (all[middle]! < hash) from = middle + 1;
      else to = middle;
    }
    return all[from] === hash ? from : -1;
  },
};

function openRealWords(): Int32Array {
  return new Int32Array(new Uint8Array(readFileSync(realWordFile)).buffer);
}
