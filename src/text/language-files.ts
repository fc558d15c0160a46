import { readFileSync } from "node:fs";

import type { Language } from "./languages.ts";
import germanFunctionWords from "./languages/de/function-words.txt" with { type: "file" };
import germanGlossary from "./languages/de/glossary.txt" with { type: "file" };
import englishFunctionWords from "./languages/en/function-words.txt" with { type: "file" };
import spanishFunctionWords from "./languages/es/function-words.txt" with { type: "file" };
import spanishGlossary from "./languages/es/glossary.txt" with { type: "file" };
import frenchFunctionWords from "./languages/fr/function-words.txt" with { type: "file" };
import frenchGlossary from "./languages/fr/glossary.txt" with { type: "file" };
import italianFunctionWords from "./languages/it/function-words.txt" with { type: "file" };
import italianGlossary from "./languages/it/glossary.txt" with { type: "file" };
import dutchFunctionWords from "./languages/nl/function-words.txt" with { type: "file" };
import dutchGlossary from "./languages/nl/glossary.txt" with { type: "file" };
import portugueseFunctionWords from "./languages/pt/function-words.txt" with { type: "file" };
import portugueseGlossary from "./languages/pt/glossary.txt" with { type: "file" };

/** Where the files of a language are. */
interface LanguageFiles {
  functionWords: string;
  /** English needs none: the others say in it what their words mean. */
  glossary?: string;
}

const FILES: Record<Language, LanguageFiles> = {
  de: { functionWords: germanFunctionWords, glossary: germanGlossary },
  en: { functionWords: englishFunctionWords },
  es: { functionWords: spanishFunctionWords, glossary: spanishGlossary },
  fr: { functionWords: frenchFunctionWords, glossary: frenchGlossary },
  it: { functionWords: italianFunctionWords, glossary: italianGlossary },
  nl: { functionWords: dutchFunctionWords, glossary: dutchGlossary },
  pt: { functionWords: portugueseFunctionWords, glossary: portugueseGlossary },
};

/** The lines of one of a language's files; none where the language has no such file. */
export function readLanguageFile(language: Language, kind: keyof LanguageFiles): readonly string[] {
  const file = FILES[language][kind];
  return file === undefined ? [] : readFileSync(file, "utf8").trimEnd().split("\n");
}
