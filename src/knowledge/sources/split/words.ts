const WORD = /[\p{L}\p{M}\p{N}]+/gu;
/** Of scripts that put no spaces between words. */
const UNSPACED =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/gu;

/** Characters to a word where words are not set apart: Chinese has 1.5 to 2, Thai about 4. */
const CHARACTERS_PER_WORD = 2;

/** Letters and digits of ASCII. */
const IN_WORD = Uint8Array.from({ length: 128 }, (_, code) => Number(/\w/.test(String.fromCharCode(code))));

/** Words of a text, about: runs of letters and digits; two characters of a script without spaces. */
export function countWords(text: string): number {
  let count = 0;
  let before = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    // General punctuation, such as dashes and curly quotes, is in texts of any script.
    const now = code < 128 ? IN_WORD[code]! : code >= 0x2000 && code < 0x2070 ? 0 : -1;
    if (now < 0) return countAnyWords(text);
    count += now & ~before;
    before = now;
  }
  return count;
}

function countAnyWords(text: string): number {
  const unspaced = countMatches(UNSPACED, text);
  const spaced = countMatches(WORD, unspaced === 0 ? text : text.replaceAll(UNSPACED, " "));
  return spaced + Math.ceil(unspaced / CHARACTERS_PER_WORD);
}

function countMatches(pattern: RegExp, text: string): number {
  let count = 0;
  pattern.lastIndex = 0;
  while (pattern.test(text)) count++;
  return count;
}
