import { reversed } from "./encodings.ts";

/** Combining marks of any script, as in stacked "zalgo" text; no script needs them to be readable. */
const STACKED_MARKS =
  /[\u{300}-\u{36f}]|[\u{483}-\u{489}]|[\u{1ab0}-\u{1aff}]|[\u{1dc0}-\u{1dff}]|[\u{20d0}-\u{20ff}]|[\u{fe20}-\u{fe2f}]/gu;
/** A right-to-left override up to its end: this run is displayed reversed. */
const OVERRIDDEN_RUN = /\u202e([^\u202a-\u202e\u2066-\u2069]*)[\u202c\u2069]?/g;
/** Blank characters that Unicode does not count as white space. */
const BLANKS = /[\u2800\u3164\uffa0\u115f\u1160]/g;
/** Invisible letters in Unicode's tag block. */
const TAG_LETTERS = /[\u{e0020}-\u{e007e}]/gu;

/** Look-alikes of upside-down letters; the last six are also ordinary letters. */
const UPSIDE_DOWN = new Map(
  Array.from("ɐɔǝɟƃɓɥᴉıɾʞןɯɹʇʌʍʎqpbdun", (letter, at): [string, string] => [
    letter,
    "acefgghiijklmrtvwybdqpnu"[at]!,
  ]),
);
/** Words from the first to the last upside-down letter. */
const UPSIDE_DOWN_RUN = /[\p{L}]*[ɐɔǝɟƃɓɥᴉɾʞɯɹʇʌʍʎ](?:[\p{L}\s]*[ɐɔǝɟƃɓɥᴉɾʞɯɹʇʌʍʎ])?[\p{L}]*/gu;
/** Minimum number of upside-down letters; phonetic transcription and some African languages use a few of them normally. */
const MIN_UPSIDE_DOWN = 3;

function uprightRun(run: string): string {
  const telling = new Set(run.match(/[ɐɔǝɟƃɓɥᴉɾʞɯɹʇʌʍʎ]/gu));
  if (telling.size < MIN_UPSIDE_DOWN) return run;
  return reversed(Array.from(run.toLowerCase(), (letter) => UPSIDE_DOWN.get(letter) ?? letter).join(""));
}

/**
 * A text as it is displayed: upside-down letters and overridden runs turned, compatibility forms (fullwidth, mathematical, circled) and
 * blanks normalised, combining marks removed, tag letters made visible.
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
