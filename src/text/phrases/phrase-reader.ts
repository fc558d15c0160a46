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

/** What is looked for in a message. */
export interface PhraseSearch<Section extends string> {
  /** Whether typing errors are mended. */
  withTypos: boolean;
  /** What the phrases are for; all where it is not given. */
  sections?: ReadonlySet<Section>;
}

/** Reads a message in one language: its phrases, in every length that they may have. They are looked for when their position is first asked for. */
export function phrasesOf<Section extends string>(
  message: readonly MessageWord[],
  phrases: PhraseLanguage<Section>,
  search: PhraseSearch<Section> = { withTypos: true },
): PhrasesFrom<Section> {
  const found: (readonly ReadPhrase<Section>[] | undefined)[] = [];
  return (position) => (found[position] ??= phrasesAt(position, message, phrases, search));
}

/**
 * Whether any phrase of one language begins at a position of a message.
 * @param step −1 where the message is read from there to its first word; the phrases are those of `mirroredLanguage` then.
 */
export function hasPhraseAt<Section extends string>(
  start: number,
  message: readonly MessageWord[],
  { book: { matcher }, words }: PhraseLanguage<Section>,
  { withTypos, sections }: PhraseSearch<Section>,
  step: 1 | -1 = 1,
): boolean {
  let matched: Matched<Section> | null = matcher.start;
  for (let at = start; at >= 0 && at < message.length; at += step) {
    const word = message[at]!;
    if (word.kind === "emoji") return false;
    matched = matcher.after(matched, words.find(word.known, withTypos));
    if (matched === null) return false;
    for (let i = 0; i < matched.sections.length; i++)
      if (sections === undefined || sections.has(matched.sections[i]!)) return true;
  }
  return false;
}

/** The phrases of one language that begin at a position of a message, in every length that they may have. */
export function phrasesAt<Section extends string>(
  start: number,
  message: readonly MessageWord[],
  { language, book: { matcher }, words }: PhraseLanguage<Section>,
  { withTypos, sections }: PhraseSearch<Section>,
): readonly ReadPhrase<Section>[] {
  const found: ReadPhrase<Section>[] = [];
  let matched: Matched<Section> | null = matcher.start;
  for (let at = start; at < message.length; at++) {
    const word = message[at]!;
    if (word.kind === "emoji") break;
    matched = matcher.after(matched, words.find(word.known, withTypos));
    if (matched === null) break;
    for (const section of matched.sections) {
      if (sections === undefined || sections.has(section))
        found.push({ section, start, end: at + 1, language });
    }
  }
  return found;
}
