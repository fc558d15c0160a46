import type { Language } from "../languages.ts";
import { type MendableWords, mendWord } from "./mend-word.ts";
import type { MessageWord } from "./message-words.ts";
import { type FoundPhrase, type PhraseBook, phrasesAt } from "./phrase-book.ts";

/** What is needed to find the phrases of one language in a message. */
export interface PhraseLanguage<Section extends string> {
  language: Language;
  book: PhraseBook<Section>;
  words: MendableWords;
}

/** A phrase, and the language whose it is. */
export interface ReadPhrase<Section extends string> extends FoundPhrase<Section> {
  language: Language;
}

/** The phrases of one language that may begin at a position of a message. */
export type PhrasesFrom<Section extends string> = (position: number) => readonly ReadPhrase<Section>[];

/** Reads a message in one language. A word is mended, and a phrase looked for, when its position is first asked for. */
export function phrasesOf<Section extends string>(
  message: readonly MessageWord[],
  { language, book, words }: PhraseLanguage<Section>,
  withTypos = true,
): PhrasesFrom<Section> {
  const mended: (string | undefined)[] = [];
  const wordAt = (position: number) => {
    const word = message[position];
    if (word === undefined || word.kind === "emoji") return undefined;
    return (mended[position] ??= mendWord(word.text, words, withTypos));
  };
  const found: (readonly ReadPhrase<Section>[] | undefined)[] = [];
  return (position) =>
    (found[position] ??= phrasesAt(book, wordAt, position).map((phrase) => ({ ...phrase, language })));
}
