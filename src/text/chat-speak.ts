import { readFileSync } from "node:fs";

import { type Language, oncePerLanguage } from "./languages.ts";
import german from "./languages/de/chat-speak.txt" with { type: "file" };
import english from "./languages/en/chat-speak.txt" with { type: "file" };
import spanish from "./languages/es/chat-speak.txt" with { type: "file" };
import french from "./languages/fr/chat-speak.txt" with { type: "file" };
import italian from "./languages/it/chat-speak.txt" with { type: "file" };
import dutch from "./languages/nl/chat-speak.txt" with { type: "file" };
import portuguese from "./languages/pt/chat-speak.txt" with { type: "file" };
import { normaliseText } from "./normalise.ts";

const FILES: Record<Language, string> = {
  de: german,
  en: english,
  es: spanish,
  fr: french,
  it: italian,
  nl: dutch,
  pt: portuguese,
};

/**
 * What people abbreviate in chats: each abbreviation with the words that it stands for, none where it only has to be known ("lol").
 * All as `normaliseText` makes them; read when first asked for.
 */
export const chatSpeakIn = oncePerLanguage((language): ReadonlyMap<string, readonly string[]> => {
  const lines = normaliseText(readFileSync(FILES[language], "utf8")).trimEnd().split("\n");
  const entries = lines.map((line) => line.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []);
  return new Map(entries.map(([abbreviation = "", ...words]) => [abbreviation, words]));
});

/** Writes out the abbreviations among normalised words; what is none, or stands for no other words, stays as it is. */
export function expandChatSpeak(words: readonly string[], language: Language): string[] {
  const known = chatSpeakIn(language);
  return words.flatMap((word) => {
    const written = known.get(word) ?? [];
    return written.length > 0 ? written : [word];
  });
}
