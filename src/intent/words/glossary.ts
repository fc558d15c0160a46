import { readLanguageFile } from "../../text/language-files.ts";
import { oncePerLanguage } from "../../text/languages.ts";
import { normaliseText } from "../../text/normalise.ts";
import { hashWordText } from "../../text/word-hash.ts";
import { englishMeanings } from "./english-meanings.ts";
import type { GlossaryEntry, WordMeanings } from "./word-meanings.ts";

/** What the words of a language mean; read when first asked for. */
export const meaningsOf = oncePerLanguage((language) =>
  language === "en"
    ? englishMeanings()
    : readGlossary(readLanguageFile(language, "glossary"), englishMeanings()),
);

/**
 * The meanings of words by way of English. A line is an entry, `word gloss …` or `stem* gloss …`, with one to three English words, the
 * best first. A stem stands for all words that begin with it and are not listed themselves. An entry of which `english` knows no word is
 * left out.
 */
export function readGlossary(lines: readonly string[], english: WordMeanings): WordMeanings {
  const entries = lines.map((line) => readEntry(normaliseText(line), english));
  return english.translated(entries.filter(({ translations }) => translations.length > 0));
}

function readEntry(line: string, english: WordMeanings): GlossaryEntry {
  const [word, ...glosses] = line.split(" ");
  const isStem = word!.endsWith("*");
  const letters = isStem ? word!.slice(0, -1) : word!;
  return {
    hash: hashWordText(letters),
    length: letters.length,
    isStem,
    translations: glosses.map((gloss) => english.find(hashWordText(gloss))).filter((found) => found >= 0),
  };
}
