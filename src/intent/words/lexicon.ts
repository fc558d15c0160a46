import { hashWord } from "../../text/word-hash.ts";

/**
 * Lengths, in UTF-16 code units, of the words that are repaired. Shorter ones are one edit away from too many others; longer ones are
 * seldom words.
 */
const MIN_REPAIRED_LENGTH = 3;
const MAX_REPAIRED_LENGTH = 24;
const EMPTY = -1;

/**
 * The words of a bot's examples, and an index of them with any one character left out (the idea of SymSpell). All in flat arrays, so
 * that a model is stored and opened without copying.
 */
export interface Lexicon {
  /** All words' UTF-16 code units; word i stands from `offsets[i]` to `offsets[i + 1]`. */
  codeUnits: Uint16Array;
  offsets: Int32Array;
  /** Examples that hold each word. */
  documentFrequency: Float32Array;
  /** The index, by open addressing with repeated keys: the hashes of words, whole and shortened. */
  keys: Int32Array;
  /** The number of the word that each key comes from; −1 where a slot is free. */
  numbers: Int32Array;
}

/** Whether a word of this many code units is ever repaired. */
export function isRepairable(length: number): boolean {
  return length >= MIN_REPAIRED_LENGTH && length <= MAX_REPAIRED_LENGTH;
}

/** Indexes words by their document frequency. Only words that another word may be a misspelling of are taken in. */
export function buildLexicon(documentFrequency: ReadonlyMap<string, number>): Lexicon {
  // One character may be missing in a misspelling, so that a known word may be one shorter than what is repaired.
  const known = [...documentFrequency].filter(
    ([word]) => isRepairable(word.length + 1) && word.length <= MAX_REPAIRED_LENGTH,
  );
  const length = known.reduce((sum, [word]) => sum + word.length, 0);
  const slots = 2 ** Math.ceil(Math.log2(Math.max(4, 1.5 * (length + known.length))));
  const lexicon: Lexicon = {
    codeUnits: new Uint16Array(length),
    offsets: new Int32Array(known.length + 1),
    documentFrequency: Float32Array.from(known, ([, frequency]) => frequency),
    keys: new Int32Array(slots),
    numbers: new Int32Array(slots).fill(EMPTY),
  };
  known.forEach(([word], number) => addWord(lexicon, word, number));
  return lexicon;
}

function addWord(lexicon: Lexicon, word: string, number: number): void {
  const start = lexicon.offsets[number]!;
  const end = start + word.length;
  lexicon.offsets[number + 1] = end;
  for (let i = 0; i < word.length; i++) lexicon.codeUnits[start + i] = word.charCodeAt(i);
  insert(lexicon, hashWord(lexicon.codeUnits, start, end), number);
  for (let skip = start; skip < end; skip++)
    insert(lexicon, hashWithout(lexicon.codeUnits, start, end, skip), number);
}

function insert(lexicon: Lexicon, key: number, number: number): void {
  const mask = lexicon.keys.length - 1;
  let slot = key & mask;
  while (lexicon.numbers[slot] !== EMPTY) slot = (slot + 1) & mask;
  lexicon.keys[slot] = key;
  lexicon.numbers[slot] = number;
}

const shortened = new Uint16Array(MAX_REPAIRED_LENGTH);

/** The hash of a word without the character at `skip`. */
function hashWithout(codeUnits: Uint16Array, start: number, end: number, skip: number): number {
  let length = 0;
  for (let i = start; i < end; i++) if (i !== skip) shortened[length++] = codeUnits[i]!;
  return hashWord(shortened, 0, length);
}

/**
 * Visits the words that share a key with this one: itself, or either with a character left out. A word may come several times, and some
 * are two edits away.
 */
export function visitCandidates(
  { keys, numbers }: Lexicon,
  codeUnits: Uint16Array,
  start: number,
  end: number,
  visit: (number: number) => void,
): void {
  const mask = keys.length - 1;
  for (let skip = start - 1; skip < end; skip++) {
    const key = skip < start ? hashWord(codeUnits, start, end) : hashWithout(codeUnits, start, end, skip);
    for (let slot = key & mask; numbers[slot] !== EMPTY; slot = (slot + 1) & mask)
      if (keys[slot] === key) visit(numbers[slot]!);
  }
}
