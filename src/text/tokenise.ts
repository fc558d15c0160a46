const SPACE = 1;
const WORD = 2;
const SINGLE = 3;
const CODE_UNIT_COUNT = 0x1_00_00;

/**
 * Class of a character: separator, part of a word, or a token of its own. Variation selectors and frames of emoji are no part of a word.
 */
function classOf(character: string): number {
  if (/^[\s\p{C}\p{Variation_Selector}\p{Me}]/u.test(character)) return SPACE;
  if (/^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(character)) return SINGLE;
  return /^[\p{L}\p{M}\p{N}]/u.test(character) ? WORD : SINGLE;
}

/** Cached classes by code unit; 0: not cached. */
const knownClasses = new Uint8Array(CODE_UNIT_COUNT);

function classAt(text: string, index: number): number {
  const codeUnit = text.charCodeAt(index);
  const known = knownClasses[codeUnit]!;
  if (known !== 0) return known;
  const found = classOf(String.fromCodePoint(text.codePointAt(index)!));
  const isSurrogate = codeUnit >= 0xd800 && codeUnit < 0xe000;
  if (!isSurrogate) knownClasses[codeUnit] = found;
  return found;
}

/** Words as ranges of UTF-16 code units. */
export interface WordRanges {
  codeUnits: Uint16Array;
  starts: Int32Array;
  ends: Int32Array;
}

/**
 * The tokens of one text as ranges of UTF-16 code units. A token is a run of letters, marks and digits, or a single symbol, ideograph or
 * kana. A buffer is created once and refilled, so that reading allocates nothing.
 */
export class TokenBuffer implements WordRanges {
  codeUnits = new Uint16Array(1024);
  starts = new Int32Array(256);
  ends = new Int32Array(256);
  count = 0;
  /** Code units in use. A corrected word is appended after the text. */
  length = 0;

  /** Replaces the content by the tokens of a normalised text. */
  read(text: string): void {
    this.#reserve(text.length);
    this.count = 0;
    this.length = text.length;
    let wordStart = -1;
    for (let i = 0; i < text.length; i++) {
      const start = i;
      const kind = classAt(text, i);
      i = this.#copyCharacter(text, i);
      if (kind === WORD) {
        if (wordStart < 0) wordStart = start;
        continue;
      }
      if (wordStart >= 0) this.#add(wordStart, start);
      wordStart = -1;
      if (kind === SINGLE) this.#add(start, i + 1);
    }
    if (wordStart >= 0) this.#add(wordStart, text.length);
  }

  /** The tokens as texts. */
  words(): string[] {
    return Array.from({ length: this.count }, (_, token) => this.word(token));
  }

  /** A token as a text. */
  word(token: number): string {
    return String.fromCharCode(...this.codeUnits.subarray(this.starts[token], this.ends[token]));
  }

  /** Puts another word, given as UTF-16 code units, in a token's place. */
  replace(token: number, codeUnits: Uint16Array, from: number, to: number): void {
    this.#reserve(this.length + to - from);
    for (let i = from; i < to; i++) this.codeUnits[this.length + i - from] = codeUnits[i]!;
    this.starts[token] = this.length;
    this.length += to - from;
    this.ends[token] = this.length;
  }

  /** Copies the one or two code units of a character. Returns the index of its last. */
  #copyCharacter(text: string, index: number): number {
    this.codeUnits[index] = text.charCodeAt(index);
    if (!isPair(text, index)) return index;
    this.codeUnits[index + 1] = text.charCodeAt(index + 1);
    return index + 1;
  }

  #reserve(length: number): void {
    if (length > this.codeUnits.length) this.codeUnits = grown(this.codeUnits, new Uint16Array(length * 2));
    if (length > this.starts.length) {
      this.starts = grown(this.starts, new Int32Array(length * 2));
      this.ends = grown(this.ends, new Int32Array(length * 2));
    }
  }

  #add(start: number, end: number): void {
    this.starts[this.count] = start;
    this.ends[this.count++] = end;
  }
}

/** Whether a character that takes two code units stands here. */
function isPair(text: string, index: number): boolean {
  const high = text.charCodeAt(index);
  const low = text.charCodeAt(index + 1);
  return high >= 0xd800 && high < 0xdc00 && low >= 0xdc00 && low < 0xe000;
}

function grown<T extends Uint16Array | Int32Array>(old: T, larger: T): T {
  larger.set(old);
  return larger;
}

const LOWER_A = 0x61;
const LOWER_Z = 0x7a;
const LAST_ASCII = 0x7f;
/** A token is a run of one kind of characters, so that its first ones tell what it is. */
const LOOKED_AT = 8;

/** Whether a token of a normalised text has a letter or mark among its first eight code units. Allocates nothing for ASCII. */
export function isWord(codeUnits: Uint16Array, start: number, end: number): boolean {
  const last = Math.min(end, start + LOOKED_AT);
  for (let i = start; i < last; i++) {
    const codeUnit = codeUnits[i]!;
    if (codeUnit >= LOWER_A && codeUnit <= LOWER_Z) return true;
    if (codeUnit > LAST_ASCII)
      return /[\p{L}\p{M}]/u.test(String.fromCharCode(...codeUnits.subarray(i, last)));
  }
  return false;
}
