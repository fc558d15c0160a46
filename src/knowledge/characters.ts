/** Classes of characters for splitting a text into terms. */
export const SEPARATOR = 1;
/** Letters, marks and digits of scripts that write words apart. */
export const WORD = 2;
/** Ideographs and kana: each says something alone, and nothing shows where a word ends. */
export const IDEOGRAPH = 3;
/** Scripts of South-East Asia that write words together, in letters. */
export const SYLLABLE = 4;

const CODE_UNIT_COUNT = 0x1_00_00;

/** The kinds of characters that have been seen; 0 where one has not. */
const knownKinds = new Uint8Array(CODE_UNIT_COUNT);

function kindOf(character: string): number {
  if (/^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]/u.test(character)) return IDEOGRAPH;
  if (!/^[\p{L}\p{M}\p{N}]/u.test(character)) return SEPARATOR;
  return /^[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u.test(character)
    ? SYLLABLE
    : WORD;
}

/** The kind of the character that begins at a code unit. A half of a pair has the kind of the whole where it is the first half. */
export function kindAt(text: string, at: number): number {
  const codeUnit = text.charCodeAt(at);
  const known = knownKinds[codeUnit]!;
  if (known !== 0) return known;
  const kind = kindOf(String.fromCodePoint(text.codePointAt(at)!));
  const isSurrogate = codeUnit >= 0xd8_00 && codeUnit < 0xe0_00;
  if (!isSurrogate) knownKinds[codeUnit] = kind;
  return kind;
}

/** Code units that the character at a place takes: 1 or 2. */
export function widthAt(text: string, at: number): number {
  const high = text.charCodeAt(at);
  if (high < 0xd8_00 || high >= 0xdc_00) return 1;
  const low = text.charCodeAt(at + 1);
  return low >= 0xdc_00 && low < 0xe0_00 ? 2 : 1;
}
