const SPACE = 1;
const WORD = 2;
const SINGLE = 3;
const UNIT_COUNT = 0x1_00_00;

function classOf(character: string): number {
  if (/^[\s\p{C}]/u.test(character)) return SPACE;
  if (/^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(character)) return SINGLE;
  return /^[\p{L}\p{M}\p{N}]/u.test(character) ? WORD : SINGLE;
}

const classByUnit = new Uint8Array(UNIT_COUNT);

function classOfUnit(unit: number, text: string, index: number): number {
  const known = classByUnit[unit]!;
  if (known !== 0) return known;
  const found = classOf(String.fromCodePoint(text.codePointAt(index)!));
  const isSurrogate = unit >= 0xd800 && unit < 0xe000;
  if (!isSurrogate) classByUnit[unit] = found;
  return found;
}

/** Words as ranges of UTF-16 units. */
export interface WordRanges {
  units: Uint16Array;
  starts: Int32Array;
  ends: Int32Array;
}

/**
 * The tokens of one text, as ranges of UTF-16 units: runs of letters, marks and digits, or one symbol, ideograph or kana.
 * Made once and filled again for every text, so that reading a text allocates nothing.
 */
export class TokenBuffer implements WordRanges {
  units = new Uint16Array(1024);
  starts = new Int32Array(256);
  ends = new Int32Array(256);
  count = 0;
  /** Units in use; a repaired word is appended behind the text's own. */
  length = 0;

  /** Replaces the content by the tokens of a normalised text. */
  read(text: string): void {
    this.reserve(text.length);
    this.count = 0;
    this.length = text.length;
    let wordStart = -1;
    for (let i = 0; i < text.length; i++) {
      const unit = text.charCodeAt(i);
      this.units[i] = unit;
      const kind = classOfUnit(unit, text, i);
      if (kind === WORD) {
        if (wordStart < 0) wordStart = i;
        if (isHighSurrogate(unit) && i + 1 < text.length) this.units[++i] = text.charCodeAt(i);
        continue;
      }
      if (wordStart >= 0) this.#add(wordStart, i);
      wordStart = -1;
      if (kind === SPACE) continue;
      const start = i;
      if (isHighSurrogate(unit) && i + 1 < text.length) this.units[++i] = text.charCodeAt(i);
      this.#add(start, i + 1);
    }
    if (wordStart >= 0) this.#add(wordStart, text.length);
  }

  /** Puts another word, given as UTF-16 units, in a token's place. */
  replace(token: number, units: Uint16Array, from: number, to: number): void {
    this.reserve(this.length + to - from);
    for (let i = from; i < to; i++) this.units[this.length + i - from] = units[i]!;
    this.starts[token] = this.length;
    this.length += to - from;
    this.ends[token] = this.length;
  }

  private reserve(length: number): void {
    if (length > this.units.length) this.units = grown(this.units, new Uint16Array(length * 2));
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

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xdc00;
}

function grown<T extends Uint16Array | Int32Array>(old: T, larger: T): T {
  larger.set(old);
  return larger;
}

const LOWER_A = 0x61;
const LOWER_Z = 0x7a;
const LAST_ASCII = 0x7f;

/** Whether a token has a letter or mark among its first units; allocates nothing for ASCII, which is in lower case here. */
export function isWord(units: Uint16Array, start: number, end: number): boolean {
  const last = Math.min(end, start + 8);
  for (let i = start; i < last; i++) {
    const unit = units[i]!;
    if (unit >= LOWER_A && unit <= LOWER_Z) return true;
    if (unit > LAST_ASCII) return /[\p{L}\p{M}]/u.test(String.fromCharCode(...units.subarray(i, last)));
  }
  return false;
}
