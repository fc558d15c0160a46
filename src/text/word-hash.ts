/**
 * Words and pairs of neighbouring words as 32-bit hashes. The engine knows a word by its hash alone: as a feature, as an entry of a
 * vocabulary or of a list of function words. Stored models and `word-meanings.bin` hold such hashes, so they may not change
 * without a new `MODEL_VERSION`.
 */

/** Initial value of a word's hash. */
export const WORD_SEED = 0x2f_0b_44_11;
const PAIR_SEED = 0x51_7c_c1_b7;
/** Stands for what is before the first word of a text, and before the first letter of a word. */
export const START = 1;
/** Stands for what is behind the last word of a text, and behind the last letter of a word. */
export const END = 2;

/** Takes one more number into an unfinished hash (FNV-1a's step with its 32-bit prime). */
export function mixIn(hash: number, value: number): number {
  return Math.imul(hash ^ value, 0x01_00_01_93);
}

/** Spreads an unfinished hash over all 32 bits (the finaliser of MurmurHash3). */
export function finishHash(hash: number): number {
  let h = hash ^ (hash >>> 16);
  h = Math.imul(h, 0x85_eb_ca_6b);
  h ^= h >>> 13;
  h = Math.imul(h, 0xc2_b2_ae_35);
  return h ^ (h >>> 16);
}

/** The hash of a normalised word, given as a range of UTF-16 code units. */
export function hashWord(codeUnits: Uint16Array, start: number, end: number): number {
  let hash = WORD_SEED;
  for (let i = start; i < end; i++) hash = mixIn(hash, codeUnits[i]!);
  return finishHash(hash);
}

/** The hash of a normalised word, given as a string. */
export function hashWordText(word: string): number {
  return finishHash(mixInText(WORD_SEED, word));
}

/** Takes the code units of a text into an unfinished hash of a word. */
export function mixInText(begun: number, text: string): number {
  let hash = begun;
  for (let i = 0; i < text.length; i++) hash = mixIn(hash, text.charCodeAt(i));
  return hash;
}

const TO_LOWER = 0x20;

/** The hash of a word of plain letters and digits as it is written; undefined for any other text. */
export function hashOfPlainWord(word: string): number | undefined {
  if (word.length === 0) return undefined;
  let hash = WORD_SEED;
  for (let i = 0; i < word.length; i++) {
    const code = word.charCodeAt(i);
    const lower = code | TO_LOWER;
    const isLetter = lower >= 0x61 && lower <= 0x7a;
    if (!isLetter && (code < 0x30 || code > 0x39)) return undefined;
    hash = mixIn(hash, isLetter ? lower : code);
  }
  return finishHash(hash);
}

/** The hash of two neighbouring words, given as their own hashes. The order counts. */
export function hashPair(left: number, right: number): number {
  return finishHash(mixIn(Math.imul(PAIR_SEED ^ left, 0x9e_37_79_b1), right));
}
