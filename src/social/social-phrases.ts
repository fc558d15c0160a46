import { readFileSync } from "node:fs";

import { chatSpeakIn } from "../text/chat-speak.ts";
import { type Language, LANGUAGES, oncePerLanguage } from "../text/languages.ts";
import de from "../text/languages/de/social.txt" with { type: "file" };
import en from "../text/languages/en/social.txt" with { type: "file" };
import es from "../text/languages/es/social.txt" with { type: "file" };
import fr from "../text/languages/fr/social.txt" with { type: "file" };
import it from "../text/languages/it/social.txt" with { type: "file" };
import nl from "../text/languages/nl/social.txt" with { type: "file" };
import pt from "../text/languages/pt/social.txt" with { type: "file" };
import { mendableWords } from "../text/phrases/mend-word.ts";
import { parsePhraseBook } from "../text/phrases/phrase-book.ts";
import { mirroredLanguage, type PhraseLanguage } from "../text/phrases/phrase-reader.ts";

const FILES: Record<Language, string> = { de, en, es, fr, it, nl, pt };

const SOCIAL_SECTIONS = [
  "greeting",
  /** Opens a conversation, but may also begin a request: "how is it going". */
  "opening",
  /** Used for greeting and for parting: "ciao". */
  "hail",
  /** Asks how somebody is, or says that all is well: "tudo bem". */
  "wellbeing",
  "thanks",
  /** Thanks without a word of thanks: "you're the best". */
  "praise",
  "goodbye",
  "identity",
  "help",
  /** Asks for a person to talk to. */
  "person",
  /** Names a person, or asks who is there: asks for a person if the message says nothing else. */
  "somebody",
  "abuse",
  /** Says that an answer was wrong, not what was asked for, or a repetition. */
  "repair",
  /** Asks for the reason: "why not?"; after a question of the bot, it is a yes. */
  "doubt",
  "acknowledge",
  "yes",
  "no",
  /** Words for addressing somebody: "everyone", "Mrs …". */
  "addressee",
  /** Words that do not change the phrases beside them. */
  "filler",
] as const;
export type SocialSection = (typeof SOCIAL_SECTIONS)[number];

/** The phrase book file of a language. */
export const socialTextIn = (language: Language): string => readFileSync(FILES[language], "utf8");

/** Courtesies of a language; loaded at the first use. */
export const socialPhrasesIn = oncePerLanguage((language): PhraseLanguage<SocialSection> => {
  const book = parsePhraseBook(socialTextIn(language), SOCIAL_SECTIONS);
  return { language, book, words: mendableWords(book.vocabulary, chatSpeakIn(language)) };
});

/** Whether a word, from `normaliseText`, is in the phrases of a language or of English, unchanged. */
export function isSocialWord(word: string, language: string): boolean {
  const own = LANGUAGES.filter((known) => known === language || known === "en");
  return own.some((known) => socialPhrasesIn(known).book.vocabulary.has(word));
}

/** The same for messages in reverse order of their words. */
export const socialEndingsIn = oncePerLanguage((language) => mirroredLanguage(socialPhrasesIn(language)));

const SECTIONS: readonly (readonly [SocialSection, string])[] = [
  ["hail", "👋"],
  ["thanks", "🙏 🤗 💐 🌹 ❤ 💜 💙 💚 🧡 💛 🥰 😘 🫶"],
  ["yes", "👍 👌 ✅ ✔ 🆗"],
  ["no", "👎 ❌"],
  ["abuse", "🖕 🤬 💩 😡 😠 😤 🤮"],
];

const BY_EMOJI = new Map(
  SECTIONS.flatMap(([section, emoji]) => emoji.split(" ").map((one) => [one, section])),
);

/** The meaning of an emoji; most only acknowledge the message before. */
export function sectionOfEmoji(emoji: string): SocialSection {
  return BY_EMOJI.get(emoji) ?? "acknowledge";
}
