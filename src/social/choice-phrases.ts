import { readFileSync } from "node:fs";

import { chatSpeakIn } from "../text/chat-speak.ts";
import { type Language, oncePerLanguage } from "../text/languages.ts";
import de from "../text/languages/de/choices.txt" with { type: "file" };
import en from "../text/languages/en/choices.txt" with { type: "file" };
import es from "../text/languages/es/choices.txt" with { type: "file" };
import fr from "../text/languages/fr/choices.txt" with { type: "file" };
import it from "../text/languages/it/choices.txt" with { type: "file" };
import nl from "../text/languages/nl/choices.txt" with { type: "file" };
import pt from "../text/languages/pt/choices.txt" with { type: "file" };
import { mendableWords } from "../text/phrases/mend-word.ts";
import { parsePhraseBook } from "../text/phrases/phrase-book.ts";
import type { PhraseLanguage } from "../text/phrases/phrase-reader.ts";

const FILES: Record<Language, string> = { de, en, es, fr, it, nl, pt };

/** Sections for positions in a list, in order. */
export const ORDINALS = ["first", "second", "third", "fourth", "fifth", "sixth"] as const;

const CHOICE_SECTIONS = [
  ...ORDINALS,
  "last",
  "both",
  "all",
  "none",
  "yes",
  "no",
  /** Joins two choices. */
  "and",
  /** Words without meaning of their own: "the", "please", "I mean". */
  "filler",
] as const;
export type ChoiceSection = (typeof CHOICE_SECTIONS)[number];

/** A language's words for choosing; loaded at the first use. */
export const choicePhrasesIn = oncePerLanguage((language): PhraseLanguage<ChoiceSection> => {
  const book = parsePhraseBook(readFileSync(FILES[language], "utf8"), CHOICE_SECTIONS);
  return { language, book, words: mendableWords(book.vocabulary, chatSpeakIn(language)) };
});
