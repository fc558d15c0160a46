/** Classes of characters for splitting a text into terms. */
export const SEPARATOR = 1;
/** Letters, marks and digits of scripts with spaces between words. */
export const WORD = 2;
/** Ideographs and kana: each has a meaning by itself, and nothing marks the end of a word. */
export const IDEOGRAPH = 3;
/** Letters of South-East Asian scripts without spaces between words. */
export const SYLLABLE = 4;

const CODE_UNIT_COUNT = 0x1_00_00;

/** Cached kinds of characters; 0 if not determined yet. */
const knownKinds = new Uint8Array(CODE_UNIT_COUNT);

function kindOf(character: string): number {
  if (/^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]/u.test(character)) return IDEOGRAPH;
  if (!/^[\p{L}\p{M}\p{N}]/u.test(character)) return SEPARATOR;
  return /^[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u.test(character)
    ? SYLLABLE
    : WORD;
}

/** The kind of the character that begins at a code unit. The first half of a surrogate pair has the kind of the whole character. */
export function kindAt(text: string, at: number): number {
  const codeUnit = text.charCodeAt(at);
  const known = knownKinds[codeUnit]!;
  if (known !== 0) return known;
  const kind = kindOf(String.fromCodePoint(text.codePointAt(at)!));
  const isSurrogate = codeUnit >= 0xd8_00 && codeUnit < 0xe0_00;
  if (!isSurrogate) knownKinds[codeUnit] = kind;
  return kind;
}

/** Number of code units of the character at a position: 1 or 2. */
export function widthAt(text: string, at: number): number {
  const high = text.charCodeAt(at);
  if (high < 0xd8_00 || high >= 0xdc_00) return 1;
  const low = text.charCodeAt(at + 1);
  return low >= 0xdc_00 && low < 0xe0_00 ? 2 : 1;
}
