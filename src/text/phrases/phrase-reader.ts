import { type Language } from "../languages.ts";
import { type MendableWords } from "./mend-word.ts";
import { type MessageWord } from "./message-words.ts";
import { mirroredBook, type PhraseBook } from "./phrase-book.ts";
import { type Matched } from "./phrase-matcher.ts";

/** Everything needed to find phrases of one language. */
export interface PhraseLanguage<Section extends string> {
  language: Language;
  book: PhraseBook<Section>;
  words: MendableWords;
}

/** The same for messages with their words in reverse order. */
export function mirroredLanguage<Section extends string>(
  phrases: PhraseLanguage<Section>,
): PhraseLanguage<Section> {
  return { ...phrases, book: mirroredBook(phrases.book) };
}

/** A phrase in a message: its range of words and its language. */
export interface ReadPhrase<Section extends string> {
  section: Section;
  start: number;
  end: number;
  language: Language;
}

/** The phrases of a language that start at a position. */
export type PhrasesFrom<Section extends string> = (position: number) => readonly ReadPhrase<Section>[];

/** Options of the search. */
export interface PhraseSearch<Section extends string> {
  /** Whether typing errors are corrected. */
  withTypos: boolean;
  /** Sections to search; absent: all. */
  sections?: ReadonlySet<Section>;
}

/** Finds the phrases of a message in one language, of every possible length. Each position is searched on first use. */
export function phrasesOf<Section extends string>(
  message: readonly MessageWord[],
  phrases: PhraseLanguage<Section>,
  search: PhraseSearch<Section> = { withTypos: true },
): PhrasesFrom<Section> {
  const found: (readonly ReadPhrase<Section>[] | undefined)[] = [];
  return (position) => (found[position] ??= phrasesAt(position, message, phrases, search));
}

/** Whether a phrase of one language starts at a position. @param step −1 to read backwards from there; use `mirroredLanguage` then. */
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

/** The phrases of one language that start at a position, of every possible length. */
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

/** Longer messages hardly ever consist of phrases only. */
export const MAX_WORDS = 30;

/** Consecutive phrases. */
export type Cover<Section extends string> = readonly ReadPhrase<Section>[];

/** Sequences of phrases from one position on, by end position. */
export type Covers<Section extends string> = ReadonlyMap<number, Cover<Section>>;

/**
 * The shortest sequences of phrases from a position on, for each end position that can be reached; of equally short ones, the first found.
 */
export function coversFrom<Section extends string>(
  start: number,
  length: number,
  phrasesFrom: PhrasesFrom<Section>,
): Covers<Section> {
  const covers = new Map<number, Cover<Section>>([[start, []]]);
  for (let at = start; at < length; at++) {
    const before = covers.get(at);
    if (before === undefined) continue;
    for (const phrase of phrasesFrom(at)) {
      const known = covers.get(phrase.end);
      if (known === undefined || known.length > before.length + 1)
        covers.set(phrase.end, [...before, phrase]);
    }
  }
  return covers;
}
