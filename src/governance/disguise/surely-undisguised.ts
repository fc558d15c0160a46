import { finishHash, hashWordText, mixIn, mixInText, WORD_SEED } from "../../text/word-hash.ts";
import { type KnowsHash, mayBeGlued } from "./glued-letters.ts";

/** Shorter hexadecimal runs decode to too little: five bytes are ten digits. */
const MIN_HEX_LENGTH = 10;
const MIN_BASE64_LENGTH = 8;
/** Most pieces of a broken word; see `chunks.ts`. */
const MAX_PIECES = 5;
/** Minimum number of consecutive single letters at which they are joined; see `chunks.ts`. */
const MIN_SPELLED = 3;
/** With more known words than this share, nothing is reversed or in ROT13; see `undisguise.ts`. */
const MAX_KNOWN_IF_TURNED = 0.34;
const MIN_KNOWN_TURNED_BACK = 0.6;
const LOWER_A = 0x61;
const HALF_ALPHABET = 13;

/**
 * Whether `undisguisedReadings` would certainly find nothing. Without this check every message would take 60 µs of CPU for readings that
 * find nothing, which doubles its judging (28 November 2026). Each condition excludes one kind of disguise; if one cannot be excluded, the
 * result is false and the readings have to be computed.
 */
export function isSurelyUndisguised(text: string, knows: KnowsHash): boolean {
  const words = plainWordsOf(text);
  if (words === undefined || mayBeEncoded(text, words) || mayBeSpelled(words)) return false;
  const known: boolean[] = [];
  for (let i = 0; i < words.length; i++) known.push(knows(words[i]!.hash));
  if ((!areMostlyKnown(words, known) && mayBeTurned(text, words, knows)) || mayBeBroken(words, known, knows))
    return false;
  if (mayHoldTurned(text, words, known, knows)) return false;
  for (let i = 0; i < words.length; i++) if (!known[i] && mayBeRespelt(text, words[i]!, knows)) return false;
  return true;
}

/** A word of a plain text. */
interface PlainWord {
  /** In the spelling of `normaliseText`: lower case, without apostrophes. */
  text: string;
  /** As `hashWord` makes it. */
  hash: number;
  /** Its position in the text. */
  start: number;
  end: number;
  isNumber: boolean;
  hasApostrophe: boolean;
  /** Number of signs after it. */
  signs: number;
  /** Whether a sign or line break separates it from the next word. */
  endsClause: boolean;
}

/** Longer texts are hardly ever plain; most requests have fewer than sixty characters. */
const MAX_CHARACTERS = 200;
const PLAIN_WORD = /([A-Za-z]+(?:'[A-Za-z]+)?|\d+)([.,!?;:]*)([ \n]+|$)/y;

/**
 * The words of a plain text, as most messages are: words of ASCII letters, possibly with an apostrophe inside ("don't"), and numbers, with
 * white space between them and punctuation directly after them. Undefined for other texts, and for emoticons such as "xD".
 */
function plainWordsOf(text: string): readonly PlainWord[] | undefined {
  if (text.length > MAX_CHARACTERS) return undefined;
  const words: PlainWord[] = [];
  for (let at = text.search(/[^ \n]|$/); at < text.length; at = PLAIN_WORD.lastIndex) {
    PLAIN_WORD.lastIndex = at;
    const [, written, signs, space] = PLAIN_WORD.exec(text) ?? [];
    if (written === undefined || /^[xX]D/.test(written)) return undefined;
    const word = written.toLowerCase().replace("'", "");
    words.push({
      text: word,
      hash: hashWordText(word),
      start: at,
      end: at + written.length,
      isNumber: /^\d/.test(word),
      hasApostrophe: word.length < written.length,
      signs: signs!.length,
      endsClause: signs !== "" || space!.includes("\n"),
    });
  }
  return words;
}

/** Whether enough words are known that neither the text nor a clause of it can be reversed or in ROT13. */
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
  return count === 0 || knownCount / count > MAX_KNOWN_IF_TURNED;
}

/** Excludes Base64 and hexadecimal digits. Other encodings need signs that plain texts lack. */
function mayBeEncoded(text: string, words: readonly PlainWord[]): boolean {
  let hexDigits = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (isHexDigit(code)) hexDigits++;
    else if (!mayPartHex(code)) hexDigits = 0;
    if (hexDigits >= MIN_HEX_LENGTH) return true;
  }
  for (let i = 0; i < words.length; i++) {
    const { start, end } = words[i]!;
    if (end - start >= MIN_BASE64_LENGTH && hasCapital(text, start + 1, end)) return true;
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

/** Excludes words spelled with spaces. */
function mayBeSpelled(words: readonly PlainWord[]): boolean {
  let inARow = 0;
  for (let i = 0; i < words.length; i++) {
    inARow = words[i]!.end - words[i]!.start === 1 ? inARow + 1 : 0;
    if (inARow === MIN_SPELLED) return true;
  }
  return false;
}

/** Excludes ROT13 and reversed text, for the whole text and each clause. */
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

/** Excludes runs of ROT13 or reversed words among normal ones: two of the unknown words would have to be known when decoded. */
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

/** Whether hardly any word from a position on is known, and most are known when decoded. */
function isTurned(words: readonly string[], from: number, knows: KnowsHash): boolean {
  const count = words.length - from;
  if (count === 0 || countKnown(words, from, knows, asWritten) / count > MAX_KNOWN_IF_TURNED) return false;
  return [rotatedCode, mirroredCode].some(
    (codeAt) => countKnown(words, from, knows, codeAt) / count >= MIN_KNOWN_TURNED_BACK,
  );
}

/** The code unit at a position of a word in lower case, original or decoded. */
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

/** Excludes known words broken by white space: consecutive pieces, not all known, that form a known word. */
function mayBeBroken(words: readonly PlainWord[], known: readonly boolean[], knows: KnowsHash): boolean {
  if (areAllKnown(words, known)) return false;
  for (let from = 0; from + 1 < words.length; from++) {
    let hash = mixInText(WORD_SEED, words[from]!.text);
    let isBroken = !known[from];
    for (let to = from + 1; to < Math.min(words.length, from + MAX_PIECES); to++) {
      if (words[to - 1]!.signs > 0 || words[from]!.isNumber || words[to]!.isNumber) break;
      hash = mixInText(hash, words[to]!.text);
      isBroken ||= !known[to] || words[to]!.signs > 0;
      if (isBroken && knows(finishHash(hash))) return true;
    }
  }
  return false;
}

/** Whether all words are known and no sign follows any of them. */
function areAllKnown(words: readonly PlainWord[], known: readonly boolean[]): boolean {
  for (let i = 0; i < words.length; i++) if (!known[i] || words[i]!.signs > 0) return false;
  return true;
}

/** Excludes respellings of unknown words: repeated letters, capital I for l, and missing spaces. */
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
  // "Ilong" is "long" with a repeated letter.
  const meant = `l${word.slice(1)}`;
  return withoutDoubles(meant) !== meant || knows(hashWordText(meant));
}

function withoutDoubles(word: string): string {
  for (let i = 1; i < word.length; i++)
    if (word.charCodeAt(i) === word.charCodeAt(i - 1)) return word.replaceAll(/(.)\1+/g, "$1");
  return word;
}

const hasTriple = (word: string): boolean => /(.)\1\1/.test(word);
