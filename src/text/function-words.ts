import { readFileSync } from "node:fs";

import { type Language, LANGUAGES, oncePerLanguage } from "./languages.ts";
import de from "./languages/de/function-words.txt" with { type: "file" };
import en from "./languages/en/function-words.txt" with { type: "file" };
import es from "./languages/es/function-words.txt" with { type: "file" };
import fr from "./languages/fr/function-words.txt" with { type: "file" };
import it from "./languages/it/function-words.txt" with { type: "file" };
import nl from "./languages/nl/function-words.txt" with { type: "file" };
import pt from "./languages/pt/function-words.txt" with { type: "file" };
import { normaliseText } from "./normalise.ts";
import { hashWordText } from "./word-hash.ts";

const FILES: Record<Language, string> = { de, en, es, fr, it, nl, pt };

/** The function words of a language, one per line. */
export function readFunctionWords(language: Language): readonly string[] {
  return readFileSync(FILES[language], "utf8").trimEnd().split("\n");
}

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

/**
 * Words that do nothing but join two requests, in some common languages, as `normaliseText` writes them. They only hint where a
 * message may be cut: stretches are scored at every word boundary in any language, and a stretch that ends at a joint has less to
 * show. Words that say more than "and" in any listed language are left out (measured in test/bench/governance).
 */
export const JOINTS: ReadonlySet<string> = new Set(
  [
    "and also plus und sowie außerdem et puis y también además anche inoltre também ook och också og også oraz też",
    "ayrıca и также також και επίσης و ثم וגם और juga cũng 和 그리고",
  ].flatMap((words) => words.split(" ").map(normaliseText)),
);
