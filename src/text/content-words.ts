import { isFunctionWord } from "./function-words.ts";
import { normaliseText } from "./normalise.ts";
import { findPersonalData } from "./personal-data.ts";
import { hashWordText } from "./word-hash.ts";

/** Characters kept of a word: in scripts without spaces, a sentence is one word. */
const MAX_CHARACTERS = 40;

/** The distinct words of a text without function words and personal data, in the spelling of `normaliseText`. */
export function contentWordsOf(text: string): string[] {
  const words = normaliseText(withoutPersonalData(text)).match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  const content = words.filter((word) => !isFunctionWord(hashWordText(word)));
  return [...new Set(content.map((word) => word.slice(0, MAX_CHARACTERS)))];
}

function withoutPersonalData(text: string): string {
  return findPersonalData(text, ["iban", "card-number", "e-mail", "phone"])
    .toReversed()
    .reduce((rest, { start, end }) => `${rest.slice(0, start)} ${rest.slice(end)}`, text);
}
