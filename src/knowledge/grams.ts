import { finishHash, mixIn } from "../text/word-hash.ts";

/** Apart from words and their beginnings. */
const GRAM_SEED = 0x1b_87_35_93;
/** Stands before and behind a word, so that its beginning and end are grams of their own. */
const EDGE = 0x20;
const GRAM_LENGTH = 4;

/** Calls with the hash of a word between its edges, and of each four neighbours therein: what inflected and compound words have in common. */
export function visitGrams(text: string, start: number, end: number, visit: (hash: number) => void): void {
  const unitAt = (i: number) => (i < start || i >= end ? EDGE : text.charCodeAt(i));
  let whole = GRAM_SEED ^ 1;
  for (let i = start; i < end; i++) whole = mixIn(whole, text.charCodeAt(i));
  visit(finishHash(whole));
  for (let from = start - 1; from + GRAM_LENGTH <= end + 1; from++) {
    let hash = GRAM_SEED;
    for (let i = from; i < from + GRAM_LENGTH; i++) hash = mixIn(hash, unitAt(i));
    visit(finishHash(hash));
  }
}
