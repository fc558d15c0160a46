import { reversed } from "./encodings.ts";

/** Marks that are laid over letters of any script, as in stacked "zalgo" text; no script needs them to be read. */
const STACKED_MARKS =
  /[\u{300}-\u{36f}]|[\u{483}-\u{489}]|[\u{1ab0}-\u{1aff}]|[\u{1dc0}-\u{1dff}]|[\u{20d0}-\u{20ff}]|[\u{fe20}-\u{fe2f}]/gu;
/** Right-to-left overrides and what ends them: the run between is shown from last to first. */
const OVERRIDDEN_RUN = /\u202e([^\u202a-\u202e\u2066-\u2069]*)[\u202c\u2069]?/g;
/** Blank characters that are no white space to Unicode. */
const BLANKS = /[\u2800\u3164\uffa0\u115f\u1160]/g;
/** Letters that Unicode hides in its tag block: a second, unseen alphabet. */
const TAG_LETTERS = /[\u{e0020}-\u{e007e}]/gu;

/** Letters that look like others upside down; the last six are letters of their own as well. */
const UPSIDE_DOWN = new Map(
  Array.from("ɐɔǝɟƃɓɥᴉıɾʞןɯɹʇʌʍʎqpbdun", (letter, at): [string, string] => [
    letter,
    "acefgghiijklmrtvwybdqpnu"[at]!,
  ]),
);
/** Words from the first letter upside down to the last. */
const UPSIDE_DOWN_RUN = /[\p{L}]*[ɐɔǝɟƃɓɥᴉɾʞɯɹʇʌʍʎ](?:[\p{L}\s]*[ɐɔǝɟƃɓɥᴉɾʞɯɹʇʌʍʎ])?[\p{L}]*/gu;
/** In phonetic script and some languages of Africa a few of them are letters as any other. */
const FEWEST_UPSIDE_DOWN = 3;

function uprightRun(run: string): string {
  const telling = new Set(run.match(/[ɐɔǝɟƃɓɥᴉɾʞɯɹʇʌʍʎ]/gu));
  if (telling.size < FEWEST_UPSIDE_DOWN) return run;
  return reversed(Array.from(run.toLowerCase(), (letter) => UPSIDE_DOWN.get(letter) ?? letter).join(""));
}

/**
 * A text as it is seen: upside-down letters upright, overridden runs turned, compatibility forms (fullwidth, mathematical, circled) and blanks
 * made plain, stacked marks taken off, hidden tag letters written out.
 */
export function asSeen(text: string): string {
  return text
    .replaceAll(UPSIDE_DOWN_RUN, uprightRun)
    .replaceAll(OVERRIDDEN_RUN, (_, run: string) => reversed(run))
    .replaceAll(/[\u{1f110}-\u{1f129}]|[\u249c-\u24b5]/gu, (letter) => letter.normalize("NFKC").slice(1, -1))
    .replaceAll(BLANKS, " ")
    .replaceAll(TAG_LETTERS, (letter) => String.fromCodePoint(letter.codePointAt(0)! - 0xe_00_00))
    .normalize("NFKC")
    .replaceAll(STACKED_MARKS, "");
}
