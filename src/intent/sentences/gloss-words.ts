import { readLanguageFile } from "../../text/language-files.ts";
import { type Language, oncePerLanguage } from "../../text/languages.ts";
import { normaliseText } from "../../text/normalise.ts";

/** The first English word of each word and stem of a language's glossary. */
const glossesOf = oncePerLanguage((language) => {
  const lines = language === "en" ? [] : readLanguageFile(language, "glossary");
  return new Map(lines.map((line) => normaliseText(line).split(" ").slice(0, 2) as [string, string]));
});

/** A text word by word in English, as far as the glossary goes; what it does not know stays as it is. */
export function glossText(text: string, language: Language): string {
  if (language === "en") return text;
  return normaliseText(text).replaceAll(/[\p{L}\p{N}]+/gu, (word) => glossOf(word, glossesOf(language)));
}

function glossOf(word: string, glosses: ReadonlyMap<string, string>): string {
  const listed = glosses.get(word);
  if (listed !== undefined) return listed;
  for (let length = word.length; length > 2; length--) {
    const stem = glosses.get(`${word.slice(0, length)}*`);
    if (stem !== undefined) return stem;
  }
  return word;
}
