import { readFunctionWords } from "./language-files.ts";
import { type Language, LANGUAGES, oncePerLanguage } from "./languages.ts";
import { normaliseText } from "./normalise.ts";
import { hashWordText } from "./word-hash.ts";

/**
 * Hashes of a language's function words: its most frequent words, which say little about the subject. A large bot's classifier learns them
 * from its examples; a small bot's cannot.
 */
export const functionWordsOf = oncePerLanguage(
  (language: Language): ReadonlySet<number> =>
    new Set(readFunctionWords(language).map((word) => hashWordText(normaliseText(word)))),
);

let ofAllLanguages: ReadonlySet<number> | undefined;

/** Whether a word, given as a hash, is a function word of any supported language. */
export function isFunctionWord(hash: number): boolean {
  ofAllLanguages ??= new Set(LANGUAGES.flatMap((language) => [...functionWordsOf(language)]));
  return ofAllLanguages.has(hash);
}
