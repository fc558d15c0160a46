import { type PlainWord, plainTextOf } from "../../text/plain-text.ts";
import { finishHash, hashWordText, mixIn, mixInText, WORD_SEED } from "../../text/word-hash.ts";
import { type KnowsHash, mayBeGlued } from "./glued-letters.ts";

/** Shorter runs of hexadecimal digits decode to nothing that is read: five bytes are ten digits. */
const SHORTEST_HEX = 10;
const SHORTEST_BASE64 = 8;
/** A word broken into more pieces is not put together; see `chunks.ts`. */
const MOST_PIECES = 5;
/** Letters that stand alone, from so many in a row on, are read as one word; see `chunks.ts`. */
const FEWEST_SPELLED = 3;
/** Above this share of known words, nothing is written backwards or in ROT13; see `undisguise.ts`. */
const MOST_KNOWN_IF_TURNED = 0.34;
const LEAST_KNOWN_TURNED_BACK = 0.6;
const LOWER_A = 0x61;
const HALF_ALPHABET = 13;

/**
 * Whether a text is so plain that `undisguisedReadings` finds none, told in a microsecond. Each condition rules out one kind of disguise for
 * sure; where one cannot be ruled out, the answer is no, and the readings have to be looked for.
 */
export function isSurelyUndisguised(text: string, knows: KnowsHash): boolean {
  const plain = plainTextOf(text);
  if (plain === undefined || plain.hasLooseSigns) return false;
  const { words } = plain;
  if (mayBeEncoded(text, words) || mayBeSpelled(words)) return false;
  const known: boolean[] = [];
  for (let i = 0; i < words.length; i++) known.push(knows(words[i]!.hash));
  if ((!areMostlyKnown(words, known) && mayBeTurned(text, words, knows)) || mayBeBroken(words, known, knows))
    return false;
  if (mayHoldTurned(text, words, known, knows)) return false;
  for (let i = 0; i < words.length; i++) if (!known[i] && mayBeRespelt(text, words[i]!, knows)) return false;
  return true;
}

/** Whether so many words are known that neither the whole nor a clause of it can be turned. */
function areMostlyKnown(words: readonly PlainWord[], known: readonly boolean[]): boolean {
  let count = 0;
  let knownCount = 0;
  for (let i = 0; i < words.length; i++) {
    const { text, hasApostrophe, endsClause } = words[i]!;
    if (hasApostrophe || (endsClause && i < words.length - 1)) return false;
    if (text.length < 2) continue;
    count++;
    if (known[i]) knownCount++;
  }
  return count === 0 || knownCount / count > MOST_KNOWN_IF_TURNED;
}

/** Rules out Base64 and hexadecimal digits. Other encodings need signs that no plain text has. */
function mayBeEncoded(text: string, words: readonly PlainWord[]): boolean {
  let hexDigits = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (isHexDigit(code)) hexDigits++;
    else if (!mayPartHex(code)) hexDigits = 0;
    if (hexDigits >= SHORTEST_HEX) return true;
  }
  for (let i = 0; i < words.length; i++) {
    const { start, end } = words[i]!;
    if (end - start >= SHORTEST_BASE64 && hasCapital(text, start + 1, end)) return true;
  }
  return false;
}

function hasCapital(text: string, from: number, to: number): boolean {
  for (let i = from; i < to; i++) if (text.charCodeAt(i) >= 0x41 && text.charCodeAt(i) <= 0x5a) return true;
  return false;
}

function isHexDigit(code: number): boolean {
  const lower = code | 0x20;
  return (code >= 0x30 && code <= 0x39) || (lower >= 0x61 && lower <= 0x66);
}

/** White space and the signs `,:;`. */
const mayPartHex = (code: number): boolean =>
  code === 0x20 || code === 0x0a || code === 0x2c || code === 0x3a || code === 0x3b;

/** Rules out words whose letters stand apart. */
function mayBeSpelled(words: readonly PlainWord[]): boolean {
  let inARow = 0;
  for (let i = 0; i < words.length; i++) {
    inARow = words[i]!.end - words[i]!.start === 1 ? inARow + 1 : 0;
    if (inARow === FEWEST_SPELLED) return true;
  }
  return false;
}

/** Rules out ROT13 and mirror writing, of the whole and of each of its clauses. */
function mayBeTurned(text: string, words: readonly PlainWord[], knows: KnowsHash): boolean {
  const all: string[] = [];
  let clauseFrom = 0;
  for (const [i, word] of words.entries()) {
    const pieces = word.hasApostrophe
      ? text.slice(word.start, word.end).toLowerCase().split("'")
      : [word.text];
    for (const piece of pieces) if (piece.length > 1) all.push(piece);
    if (!word.endsClause || i === words.length - 1) continue;
    if (isTurned(all, clauseFrom, knows)) return true;
    clauseFrom = all.length;
  }
  return isTurned(all, clauseFrom, knows) || (clauseFrom > 0 && isTurned(all, 0, knows));
}

/** Rules out runs of ROT13 and mirror writing among honest words: two of the unknown words would be known turned back. */
function mayHoldTurned(
  text: string,
  words: readonly PlainWord[],
  known: readonly boolean[],
  knows: KnowsHash,
): boolean {
  const unknown: string[] = [];
  for (let i = 0; i < words.length; i++) {
    const { text: word, hasApostrophe, start, end } = words[i]!;
    if (known[i] && !hasApostrophe) continue;
    const pieces = hasApostrophe ? text.slice(start, end).toLowerCase().split("'") : [word];
    for (const piece of pieces) if (piece.length > 1) unknown.push(piece);
  }
  if (unknown.length < 2) return false;
  return [rotatedCode, mirroredCode].some((codeAt) => countKnown(unknown, 0, knows, codeAt) > 1);
}

/** Whether hardly any of the words from a place on are known, and most of them are where they are turned. */
function isTurned(words: readonly string[], from: number, knows: KnowsHash): boolean {
  const count = words.length - from;
  if (count === 0 || countKnown(words, from, knows, asWritten) / count > MOST_KNOWN_IF_TURNED) return false;
  return [rotatedCode, mirroredCode].some(
    (codeAt) => countKnown(words, from, knows, codeAt) / count >= LEAST_KNOWN_TURNED_BACK,
  );
}

/** The code unit at a place of a word in lower case, as it is or turned. */
type CodeAt = (word: string, at: number) => number;

const asWritten: CodeAt = (word, at) => word.charCodeAt(at);
const mirroredCode: CodeAt = (word, at) => word.charCodeAt(word.length - 1 - at);
const rotatedCode: CodeAt = (word, at) => {
  const code = word.charCodeAt(at);
  return code < LOWER_A ? code : LOWER_A + ((code - LOWER_A + HALF_ALPHABET) % (2 * HALF_ALPHABET));
};

function countKnown(words: readonly string[], from: number, knows: KnowsHash, codeAt: CodeAt): number {
  let count = 0;
  for (let i = from; i < words.length; i++) {
    const word = words[i]!;
    let hash = WORD_SEED;
    for (let at = 0; at < word.length; at++) hash = mixIn(hash, codeAt(word, at));
    if (knows(finishHash(hash))) count++;
  }
  return count;
}

/** Rules out known words that white space broke up: some words in a row, not all of them known, that make one. */
function mayBeBroken(words: readonly PlainWord[], known: readonly boolean[], knows: KnowsHash): boolean {
  if (areAllKnown(words, known)) return false;
  for (let from = 0; from + 1 < words.length; from++) {
    let hash = mixInText(WORD_SEED, words[from]!.text);
    let isBroken = !known[from];
    for (let to = from + 1; to < Math.min(words.length, from + MOST_PIECES); to++) {
      if (words[to - 1]!.signs > 0 || words[from]!.isNumber || words[to]!.isNumber) break;
      hash = mixInText(hash, words[to]!.text);
      isBroken ||= !known[to] || words[to]!.signs > 0;
      if (isBroken && knows(finishHash(hash))) return true;
    }
  }
  return false;
}

/** Whether all words are known, and no sign stands behind any of them. */
function areAllKnown(words: readonly PlainWord[], known: readonly boolean[]): boolean {
  for (let i = 0; i < words.length; i++) if (!known[i] || words[i]!.signs > 0) return false;
  return true;
}

/** Rules out what an unknown word may be a respelling of: stretched letters, capital I for l, and words without spaces between them. */
function mayBeRespelt(
  text: string,
  { text: word, start, end, isNumber }: PlainWord,
  knows: KnowsHash,
): boolean {
  if (isNumber) return false;
  if (mayHaveCapitalForL(text.slice(start, end), word, knows)) return true;
  const once = withoutDoubles(word);
  if (once.length < word.length && (hasTriple(word) || knows(hashWordText(once)))) return true;
  return mayBeGlued(word, knows);
}

function mayHaveCapitalForL(written: string, word: string, knows: KnowsHash): boolean {
  if (!/[A-Za-z]I|I[a-z]/.test(written)) return false;
  if (written.includes("I", 1) || withoutDoubles(word) !== word) return true;
  // "Ilong" is a stretched "long".
  const meant = `l${word.slice(1)}`;
  return withoutDoubles(meant) !== meant || knows(hashWordText(meant));
}

function withoutDoubles(word: string): string {
  for (let i = 1; i < word.length; i++)
    if (word.charCodeAt(i) === word.charCodeAt(i - 1)) return word.replaceAll(/(.)\1+/g, "$1");
  return word;
}

const hasTriple = (word: string): boolean => /(.)\1\1/.test(word);
