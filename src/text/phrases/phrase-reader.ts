import type { Language } from "../languages.ts";
import type { MendableWords } from "./mend-word.ts";
import type { MessageWord } from "./message-words.ts";
import { mirroredBook, type PhraseBook } from "./phrase-book.ts";
import type { Matched } from "./phrase-matcher.ts";

/** What is needed to find the phrases of one language in a message. */
export interface PhraseLanguage<Section extends string> {
  language: Language;
  book: PhraseBook<Section>;
  words: MendableWords;
}

/** The same for messages whose words are in reverse order. */
export function mirroredLanguage<Section extends string>(
  phrases: PhraseLanguage<Section>,
): PhraseLanguage<Section> {
  return { ...phrases, book: mirroredBook(phrases.book) };
}

/** A phrase of a message: from one position among its words to another; and the language whose it is. */
export interface ReadPhrase<Section extends string> {
  section: Section;
  start: number;
  end: number;
  language: Language;
}

/** The phrases of one language that may begin at a position of a message. */
export type PhrasesFrom<Section extends string> = (position: number) => readonly ReadPhrase<Section>[];

/** Reads a message in one language, in every length that a phrase may have. Phrases are looked for when their position is first asked for. */
export function phrasesOf<Section extends string>(
  message: readonly MessageWord[],
  phrases: PhraseLanguage<Section>,
  withTypos = true,
): PhrasesFrom<Section> {
  const found: (readonly ReadPhrase<Section>[] | undefined)[] = [];
  return (position) => (found[position] ??= phrasesAt(position, message, phrases, withTypos));
}

function phrasesAt<Section extends string>(
  start: number,
  message: readonly MessageWord[],
  { language, book: { matcher }, words }: PhraseLanguage<Section>,
  withTypos: boolean,
): readonly ReadPhrase<Section>[] {
  const found: ReadPhrase<Section>[] = [];
  let matched: Matched<Section> | null = matcher.start;
  for (let at = start; at < message.length; at++) {
    const { kind, text } = message[at]!;
    if (kind === "emoji") break;
    matched = matcher.after(matched, words.find(text, withTypos));
    if (matched === null) break;
    for (const section of matched.sections) found.push({ section, start, end: at + 1, language });
  }
  return found;
}
