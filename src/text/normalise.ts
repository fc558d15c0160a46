/** Letters without a Unicode decomposition, with their usual plain spelling. */
const LETTERS_WITHOUT_DECOMPOSITION: Record<string, string> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  đ: "d",
  ð: "d",
  ł: "l",
  ħ: "h",
  ı: "i",
  þ: "th",
};

function foldDiacritics(text: string): string {
  return text
    .replaceAll(/[ßæœøđðłħıþ]/g, (letter) => LETTERS_WITHOUT_DECOMPOSITION[letter] ?? letter)
    .normalize("NFD")
    .replaceAll(/([\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}])\p{Mn}+/gu, "$1")
    .normalize("NFC");
}

/**
 * The form of a text in which spelling variants are the same: NFKC, lower case, straight quotes, no apostrophes inside
 * words, no format characters, no diacritics on Latin, Greek and Cyrillic letters.
 */
export function normaliseText(text: string): string {
  // oxlint-disable-next-line no-control-regex -- the range is ASCII
  const isAscii = /^[\x00-\x7f]*$/.test(text);
  const folded = isAscii
    ? text.toLowerCase()
    : foldDiacritics(
        text
          .normalize("NFKC")
          .toLowerCase()
          .replaceAll(/[‘’‚‛′`´]/g, "'")
          .replaceAll(/[“”„‟«»]/g, '"')
          .replaceAll(/\p{Cf}/gu, ""),
      );
  return folded.includes("'") ? folded.replaceAll(/(?<=\p{L})'(?=\p{L})/gu, "") : folded;
}
