import { readFunctionWords } from "./language-files.ts";
import { type Language, LANGUAGES, oncePerLanguage } from "./languages.ts";
import { normaliseText } from "./normalise.ts";
import { hashWordText } from "./word-hash.ts";

/**
 * The function words of one language, as `hashWord` makes them: its most frequent words, which say little of what a text is about.
 * Hundreds of examples tell a classifier which words those are; the few of a small bot cannot.
 */
export const functionWordsOf = oncePerLanguage(
  (language: Language): ReadonlySet<number> =>
    new Set(readFunctionWords(language).map((word) => hashWordText(normaliseText(word)))),
);

let ofAllLanguages: ReadonlySet<number> | undefined;

/** Whether a word, given by `hashWord`, is a function word of any of the languages. In other languages every word counts alike. */
export function isFunctionWord(hash: number): boolean {
  ofAllLanguages ??= new Set(LANGUAGES.flatMap((language) => [...functionWordsOf(language)]));
  return ofAllLanguages.has(hash);
}
