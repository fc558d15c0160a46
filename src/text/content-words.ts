import { isFunctionWord } from "./function-words.ts";
import { normaliseText } from "./normalise.ts";
import { findPersonalData } from "./personal-data.ts";
import { hashWordText } from "./word-hash.ts";

/** Characters of a word that are kept: in scripts that part no words, a sentence is one. */
const MOST_CHARACTERS = 40;

/** The distinct words of a text that are more than function words, as `normaliseText` writes them; none is a part of personal data. */
export function contentWordsOf(text: string): string[] {
  const words = normaliseText(withoutPersonalData(text)).match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  const content = words.filter((word) => !isFunctionWord(hashWordText(word)));
  return [...new Set(content.map((word) => word.slice(0, MOST_CHARACTERS)))];
}

function withoutPersonalData(text: string): string {
  return findPersonalData(text, ["iban", "card-number", "e-mail", "phone"])
    .toReversed()
    .reduce((rest, { start, end }) => `${rest.slice(0, start)} ${rest.slice(end)}`, text);
}
