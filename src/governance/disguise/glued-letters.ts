import { finishHash, mixIn, WORD_SEED } from "../../text/word-hash.ts";
import {
  MAX_GLUED_LENGTH,
  MAX_WORD_LENGTH,
  MAX_UNKNOWN_GLUED,
  MIN_GLUED_LENGTH,
  UNKNOWN_COST,
  wordCost,
} from "./plain-word.ts";

/** Whether a word, given as a hash, occurs in the classifier's training examples. */
export type KnowsHash = (hash: number) => boolean;

/** Buffer for one word at a time. */
const knownFrom = new Int32Array(MAX_GLUED_LENGTH);
const costs = new Int32Array(MAX_GLUED_LENGTH + 1);
const unknowns = new Int32Array(MAX_GLUED_LENGTH + 1);
const froms = new Int32Array(MAX_GLUED_LENGTH + 1);

/** Whether `unglued` would split a word of lower-case letters. The same search, with hashes that are extended letter by letter. */
export function mayBeGlued(word: string, knows: KnowsHash): boolean {
  const { length } = word;
  if (length < MIN_GLUED_LENGTH || length > MAX_GLUED_LENGTH) return false;
  markKnown(word, knows);
  for (let end = 1; end <= length; end++) findCheapest(end, length);
  const [count, longest] = wordsOfSplit(length);
  return longest > 2 && count > 1 && unknowns[length]! <= length * MAX_UNKNOWN_GLUED;
}

/** Sets a bit for each length of a known word that starts at a position. */
function markKnown(word: string, knows: KnowsHash): void {
  for (let from = 0; from < word.length; from++) {
    let hash = WORD_SEED;
    let bits = 0;
    const last = Math.min(word.length, from + MAX_WORD_LENGTH);
    for (let end = from + 1; end <= last; end++) {
      hash = mixIn(hash, word.charCodeAt(end - 1));
      if (knows(finishHash(hash))) bits |= 1 << (end - from);
    }
    knownFrom[from] = bits;
  }
}

function findCheapest(end: number, length: number): void {
  let cost = costs[end - 1]! + UNKNOWN_COST;
  let best = end - 1;
  let unknown = unknowns[end - 1]! + 1;
  for (let from = Math.max(0, end - MAX_WORD_LENGTH); from < end; from++) {
    if (((knownFrom[from]! >> (end - from)) & 1) === 0) continue;
    const other = costs[from]! + wordCost(from, end, length);
    if (other < cost) [cost, best, unknown] = [other, from, unknowns[from]!];
  }
  [costs[end], froms[end], unknowns[end]] = [cost, best, unknown];
}

function wordsOfSplit(length: number): [count: number, longest: number] {
  let count = 0;
  let longest = 0;
  for (let end = length; end > 0; end = froms[end]!) {
    count++;
    longest = Math.max(longest, end - froms[end]!);
  }
  return [count, longest];
}
