import { readFileSync } from "node:fs";

import { type Language, oncePerLanguage } from "./languages.ts";
import de from "./languages/de/chat-speak.txt" with { type: "file" };
import en from "./languages/en/chat-speak.txt" with { type: "file" };
import es from "./languages/es/chat-speak.txt" with { type: "file" };
import fr from "./languages/fr/chat-speak.txt" with { type: "file" };
import it from "./languages/it/chat-speak.txt" with { type: "file" };
import nl from "./languages/nl/chat-speak.txt" with { type: "file" };
import pt from "./languages/pt/chat-speak.txt" with { type: "file" };
import { normaliseText } from "./normalise.ts";

const FILES: Record<Language, string> = { de, en, es, fr, it, nl, pt };

/**
 * Chat abbreviations with the words they stand for; none for those that only have to be known ("lol"). All in the spelling of
 * `normaliseText`; read on first use.
 */
export const chatSpeakIn = oncePerLanguage((language): ReadonlyMap<string, readonly string[]> => {
  const lines = normaliseText(readFileSync(FILES[language], "utf8")).trimEnd().split("\n");
  const entries = lines.map((line) => line.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []);
  return new Map(entries.map(([abbreviation = "", ...words]) => [abbreviation, words]));
});

/**
 * Writes out a message's abbreviations, so that "idk" is not taken for a misspelled "I'd". Those without words ("lol") are removed unless
 * nothing else remains; words of the bot's examples stay.
 */
export function writeOutChatSpeak(
  text: string,
  language: Language,
  knows: (word: string) => boolean,
): string {
  const known = chatSpeakIn(language);
  const written = text.replace(/[\p{L}\p{M}\p{N}]+/gu, (word) => {
    const meant = known.get(normaliseText(word));
    return meant === undefined || knows(word) ? word : meant.join(" ");
  });
  return written === text || written.trim() === "" ? text : written;
}
