import { isFunctionWord } from "../../text/function-words.ts";
import type { TokenBuffer } from "../../text/tokenise.ts";
import { END, hashPair, hashWord, START } from "../../text/word-hash.ts";
import { isRepairable, type Lexicon, visitCandidates } from "./lexicon.ts";
import { REAL_WORDS } from "./real-words.ts";

/**
 * Factor of a candidate's document frequency if its first letter matches, because the first letter is rarely mistyped. Chosen by hand on
 * validation data of CLINC150; `npm run bench:intent` prints the cost of typing errors.
 */
const SAME_FIRST_LETTER_BONUS = 3;
/** The same for each neighbour that the candidate has in an example; larger than typical differences in frequency. */
const NEIGHBOUR_BONUS = 10;

/**
 * Shorter words are one edit away from many others, and may be abbreviations or names, so they are corrected only beside a word that they
 * have as a neighbour in an example.
 */
const SURE_LENGTH = 5;

/** Finds the number of a word or feature, given by its hash; −1 where it is not known. */
interface HashLookup {
  find(hash: number): number;
}

/**
 * Corrects spelling from left to right: each word that is neither known nor real becomes the most likely known word at Damerau distance 1.
 * @param known words and pairs of words of the examples. @returns number of corrected words.
 */
export function repairWords(lexicon: Lexicon, tokens: TokenBuffer, known: HashLookup): number {
  let repaired = 0;
  for (let t = 0; t < tokens.count; t++) {
    const length = tokens.ends[t]! - tokens.starts[t]!;
    if (!isRepairable(length)) continue;
    const hash = hashToken(tokens, t);
    if (known.find(hash) >= 0 || isFunctionWord(hash) || REAL_WORDS.find(hash) >= 0) continue;
    if (repairWord(lexicon, tokens, t, known)) repaired++;
  }
  return repaired;
}

/** Whether an unknown word is one edit away from a known word. */
export function mayBeRepaired(
  lexicon: Lexicon,
  { codeUnits, starts, ends }: TokenBuffer,
  token: number,
): boolean {
  const start = starts[token]!;
  const end = ends[token]!;
  if (!isRepairable(end - start) || hasDigit(codeUnits, start, end)) return false;
  let isLikely = false;
  visitCandidates(lexicon, codeUnits, start, end, (word) => {
    isLikely ||= likelihoodOf(lexicon, word, codeUnits, start, end) > 0;
  });
  return isLikely;
}

function hashToken({ codeUnits, starts, ends }: TokenBuffer, token: number): number {
  return hashWord(codeUnits, starts[token]!, ends[token]!);
}

/** Replaces an unknown word by the most likely known one. @returns whether there is one. */
export function repairWord(lexicon: Lexicon, tokens: TokenBuffer, token: number, known: HashLookup): boolean {
  const start = tokens.starts[token]!;
  const end = tokens.ends[token]!;
  if (hasDigit(tokens.codeUnits, start, end)) return false;
  const left = token > 0 ? hashToken(tokens, token - 1) : START;
  const right = token + 1 < tokens.count ? hashToken(tokens, token + 1) : END;
  const neighbourBonus = (word: number) => {
    const hash = hashWord(lexicon.codeUnits, lexicon.offsets[word]!, lexicon.offsets[word + 1]!);
    const isAfterLeft = known.find(hashPair(left, hash)) >= 0;
    const isBeforeRight = known.find(hashPair(hash, right)) >= 0;
    return (isAfterLeft ? NEIGHBOUR_BONUS : 1) * (isBeforeRight ? NEIGHBOUR_BONUS : 1);
  };
  const best = findLikeliest(lexicon, tokens.codeUnits, start, end, neighbourBonus);
  if (best < 0) return false;
  tokens.replace(token, lexicon.codeUnits, lexicon.offsets[best]!, lexicon.offsets[best + 1]!);
  return true;
}

function hasDigit(codeUnits: Uint16Array, start: number, end: number): boolean {
  for (let i = start; i < end; i++) if (codeUnits[i]! >= 48 && codeUnits[i]! <= 57) return true;
  return false;
}

/** Number of the most likely known word, the first of equal ones; −1 if none is one edit away. */
function findLikeliest(
  lexicon: Lexicon,
  codeUnits: Uint16Array,
  start: number,
  end: number,
  bonusOf: (word: number) => number,
): number {
  let best = -1;
  let bestScore = 0;
  const isShort = end - start < SURE_LENGTH;
  visitCandidates(lexicon, codeUnits, start, end, (word) => {
    const likelihood = likelihoodOf(lexicon, word, codeUnits, start, end);
    if (likelihood === 0) return;
    const bonus = bonusOf(word);
    if (isShort && bonus === 1) return;
    const score = likelihood * bonus;
    if (score < bestScore || (score === bestScore && word >= best)) return;
    best = word;
    bestScore = score;
  });
  return best;
}

/** Likelihood of a candidate without its neighbours; 0 if it is more than one edit away. */
function likelihoodOf(
  lexicon: Lexicon,
  word: number,
  codeUnits: Uint16Array,
  start: number,
  end: number,
): number {
  const from = lexicon.offsets[word]!;
  const to = lexicon.offsets[word + 1]!;
  if (!isOneEditAway(lexicon.codeUnits, from, to, codeUnits, start, end)) return 0;
  const bonus = lexicon.codeUnits[from] === codeUnits[start] ? SAME_FIRST_LETTER_BONUS : 1;
  return lexicon.documentFrequency[word]! * bonus;
}

/** Whether one insertion, deletion, substitution or swap of neighbours turns a into b. */
function isOneEditAway(
  a: Uint16Array,
  aFrom: number,
  aTo: number,
  b: Uint16Array,
  bFrom: number,
  bTo: number,
): boolean {
  while (aFrom < aTo && bFrom < bTo && a[aFrom] === b[bFrom]) [aFrom, bFrom] = [aFrom + 1, bFrom + 1];
  while (aFrom < aTo && bFrom < bTo && a[aTo - 1] === b[bTo - 1]) [aTo, bTo] = [aTo - 1, bTo - 1];
  const left = aTo - aFrom;
  const right = bTo - bFrom;
  if (left <= 1 && right <= 1) return true;
  return left === 2 && right === 2 && a[aFrom] === b[bFrom + 1] && a[aFrom + 1] === b[bFrom];
}
