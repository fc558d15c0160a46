import type { Language } from "../../text/languages.ts";
import type { WordMeanings } from "./word-meanings.ts";

/** What is known of a bot's language before any of its examples is read. */
interface KnownLanguage {
  language: Language;
  meanings: WordMeanings;
  /** Whether what its words mean is part of a text's vector too. */
  isWeighed: boolean;
}

/** The same, or nothing where the bot's language is not one of those that are known. */
export type WordKnowledge = KnownLanguage | { isWeighed: false; language?: undefined; meanings?: undefined };

export const NO_KNOWLEDGE: WordKnowledge = { isWeighed: false };
