import { readFileSync } from "node:fs";

import type { Language } from "./languages.ts";
import germanFunctionWords from "./languages/de/function-words.txt" with { type: "file" };
import germanGlossary from "./languages/de/glossary.txt" with { type: "file" };
import germanRequests from "./languages/de/requests.txt" with { type: "file" };
import englishFunctionWords from "./languages/en/function-words.txt" with { type: "file" };
import englishRequests from "./languages/en/requests.txt" with { type: "file" };
import spanishFunctionWords from "./languages/es/function-words.txt" with { type: "file" };
import spanishGlossary from "./languages/es/glossary.txt" with { type: "file" };
import spanishRequests from "./languages/es/requests.txt" with { type: "file" };
import frenchFunctionWords from "./languages/fr/function-words.txt" with { type: "file" };
import frenchGlossary from "./languages/fr/glossary.txt" with { type: "file" };
import frenchRequests from "./languages/fr/requests.txt" with { type: "file" };
import italianFunctionWords from "./languages/it/function-words.txt" with { type: "file" };
import italianGlossary from "./languages/it/glossary.txt" with { type: "file" };
import italianRequests from "./languages/it/requests.txt" with { type: "file" };
import dutchFunctionWords from "./languages/nl/function-words.txt" with { type: "file" };
import dutchGlossary from "./languages/nl/glossary.txt" with { type: "file" };
import dutchRequests from "./languages/nl/requests.txt" with { type: "file" };
import portugueseFunctionWords from "./languages/pt/function-words.txt" with { type: "file" };
import portugueseGlossary from "./languages/pt/glossary.txt" with { type: "file" };
import portugueseRequests from "./languages/pt/requests.txt" with { type: "file" };

/** Where the files of a language are. */
interface LanguageFiles {
  functionWords: string;
  requests: string;
  /** English needs none: the others say in it what their words mean. */
  glossary?: string;
}

const FILES: Record<Language, LanguageFiles> = {
  de: { functionWords: germanFunctionWords, requests: germanRequests, glossary: germanGlossary },
  en: { functionWords: englishFunctionWords, requests: englishRequests },
  es: { functionWords: spanishFunctionWords, requests: spanishRequests, glossary: spanishGlossary },
  fr: { functionWords: frenchFunctionWords, requests: frenchRequests, glossary: frenchGlossary },
  it: { functionWords: italianFunctionWords, requests: italianRequests, glossary: italianGlossary },
  nl: { functionWords: dutchFunctionWords, requests: dutchRequests, glossary: dutchGlossary },
  pt: { functionWords: portugueseFunctionWords, requests: portugueseRequests, glossary: portugueseGlossary },
};

/** The lines of one of a language's files; none where the language has no such file. */
export function readLanguageFile(language: Language, kind: keyof LanguageFiles): readonly string[] {
  const file = FILES[language][kind];
  return file === undefined ? [] : readFileSync(file, "utf8").trimEnd().split("\n");
}
