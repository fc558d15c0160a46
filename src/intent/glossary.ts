import { readFileSync } from "node:fs";

import { hashWordText } from "./features.ts";
import { type Language, oncePerLanguage } from "./languages.ts";
import german from "./languages/de/glossary.txt" with { type: "file" };
import spanish from "./languages/es/glossary.txt" with { type: "file" };
import french from "./languages/fr/glossary.txt" with { type: "file" };
import italian from "./languages/it/glossary.txt" with { type: "file" };
import dutch from "./languages/nl/glossary.txt" with { type: "file" };
import portuguese from "./languages/pt/glossary.txt" with { type: "file" };
import { normaliseText } from "./normalise.ts";
import { englishMeanings, type GlossaryEntry, type WordMeanings } from "./word-meanings.ts";

const FILES: Record<Exclude<Language, "en">, string> = {
  de: german,
  es: spanish,
  fr: french,
  it: italian,
  nl: dutch,
  pt: portuguese,
};

/** What the words of a language mean; read when first asked for. */
export const meaningsOf = oncePerLanguage((language) =>
  language === "en"
    ? englishMeanings()
    : readGlossary(readFileSync(FILES[language], "utf8"), englishMeanings()),
);

/**
 * Meanings by way of English: a line an entry, `word gloss …` or `stem* gloss …`, with one to three English words, the best first. A stem
 * stands for all words that begin so and are not listed themselves.
 */
export function readGlossary(text: string, english: WordMeanings): WordMeanings {
  const entries = normaliseText(text)
    .trimEnd()
    .split("\n")
    .map((line): GlossaryEntry => {
      const [word, ...glosses] = line.split(" ");
      const isStem = word!.endsWith("*");
      const letters = isStem ? word!.slice(0, -1) : word!;
      return {
        hash: hashWordText(letters),
        length: letters.length,
        isStem,
        words: glosses.map((gloss) => english.find(hashWordText(gloss))).filter((found) => found >= 0),
      };
    });
  return english.translated(entries.filter(({ words }) => words.length > 0));
}
