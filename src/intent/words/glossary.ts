import { readFileSync } from "node:fs";

import { type Language, oncePerLanguage } from "../../text/languages.ts";
import german from "../../text/languages/de/glossary.txt" with { type: "file" };
import spanish from "../../text/languages/es/glossary.txt" with { type: "file" };
import french from "../../text/languages/fr/glossary.txt" with { type: "file" };
import italian from "../../text/languages/it/glossary.txt" with { type: "file" };
import dutch from "../../text/languages/nl/glossary.txt" with { type: "file" };
import portuguese from "../../text/languages/pt/glossary.txt" with { type: "file" };
import { normaliseText } from "../../text/normalise.ts";
import { hashWordText } from "../features/features.ts";
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
