const FULLWIDTH = /[\uff01-\uff5e]/g;
const FULLWIDTH_OFFSET = 0xfe_e0;
const OTHER_DIGIT = /(?![0-9])\p{Nd}/gu;
// oxlint-disable-next-line no-control-regex -- the range is ASCII
const ASCII = /^[\x00-\x7f]*$/;

/**
 * The text with fullwidth signs and digits of other scripts as ASCII, at the same positions. Digits outside the basic plane (styled ones)
 * stay as they are.
 */
export function withPlainSigns(text: string): string {
  if (ASCII.test(text)) return text;
  return text
    .replaceAll(FULLWIDTH, (sign) => String.fromCharCode(sign.charCodeAt(0) - FULLWIDTH_OFFSET))
    .replaceAll(OTHER_DIGIT, (digit) => (digit.length === 1 ? String(valueOf(digit.charCodeAt(0))) : digit));
}

/** Unicode orders the ten digits of a script from zero on. */
function valueOf(codeUnit: number): number {
  let value = 0;
  while (value < 9 && /\p{Nd}/u.test(String.fromCharCode(codeUnit - value - 1))) value++;
  return value;
}
