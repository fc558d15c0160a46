import { readFileSync } from "node:fs";

import type { Language } from "./languages.ts";
import germanFunctionWords from "./languages/de/function-words.txt" with { type: "file" };
import englishFunctionWords from "./languages/en/function-words.txt" with { type: "file" };
import spanishFunctionWords from "./languages/es/function-words.txt" with { type: "file" };
import frenchFunctionWords from "./languages/fr/function-words.txt" with { type: "file" };
import italianFunctionWords from "./languages/it/function-words.txt" with { type: "file" };
import dutchFunctionWords from "./languages/nl/function-words.txt" with { type: "file" };
import portugueseFunctionWords from "./languages/pt/function-words.txt" with { type: "file" };

/** The files of function words. */
const FILES: Record<Language, string> = {
  de: germanFunctionWords,
  en: englishFunctionWords,
  es: spanishFunctionWords,
  fr: frenchFunctionWords,
  it: italianFunctionWords,
  nl: dutchFunctionWords,
  pt: portugueseFunctionWords,
};

/** The function words of a language, one per line. */
export function readFunctionWords(language: Language): readonly string[] {
  return readFileSync(FILES[language], "utf8").trimEnd().split("\n");
}
