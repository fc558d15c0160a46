import { chatSpeakIn } from "../text/chat-speak.ts";
import { type Language, LANGUAGES, oncePerLanguage } from "../text/languages.ts";
import { normaliseText } from "../text/normalise.ts";
import { keptWithWord, type KnownWord } from "../text/phrases/known-word.ts";
import { type MendableWords, mendableWords, mendWord, UNKNOWN_WORD } from "../text/phrases/mend-word.ts";
import type { MessageWord } from "../text/phrases/message-words.ts";
import { socialPhrasesIn, socialTextIn } from "./social-phrases.ts";

// Tells from the words of a message which languages its courtesies may be in, more languages rather than fewer, so that the phrases of the others
// need not be read: the words of a file are had in a tenth of the time that its phrases take.

/** Languages, a bit each. */
export type LanguageBits = number;

const ALL_LANGUAGES: LanguageBits = 2 ** LANGUAGES.length - 1;
const NO_LANGUAGE: LanguageBits = 0;

/** The bit that stands for a language. */
export const bitOf = (language: Language): LanguageBits => 1 << LANGUAGES.indexOf(language);

const bitsWhere = (holds: (language: Language) => boolean): LanguageBits =>
  LANGUAGES.reduce((bits, language) => (holds(language) ? bits | bitOf(language) : bits), NO_LANGUAGE);

/** So many words of any kind may follow each other in a phrase: "best regards from * *". */
export const MOST_ANY_WORDS = 3;

const wordsOf = (text: string): string[] => text.match(/[\p{L}\p{M}\p{N}']+/gu) ?? [];

const fileWordsIn = oncePerLanguage((language) =>
  mendableWords(new Set(wordsOf(normaliseText(socialTextIn(language)))), chatSpeakIn(language)),
);

/** The words of phrases that words of any kind are part of. */
const wordsBesideAnyIn = oncePerLanguage((language) => {
  const lines = normaliseText(socialTextIn(language)).split("\n");
  const phrases = lines.filter((line) => line.includes("*")).flatMap(alternativesOf);
  const words = phrases.filter((phrase) => phrase.includes("*")).flatMap(wordsOf);
  return mendableWords(new Set(words), chatSpeakIn(language));
});

/** The parts of a line between those of its `|` that stand in no brackets. */
function alternativesOf(line: string): string[] {
  const alternatives = [""];
  let depth = 0;
  for (const character of line) {
    if ("([{".includes(character)) depth++;
    if (")]}".includes(character)) depth--;
    if (character === "|" && depth === 0) alternatives.push("");
    else alternatives[alternatives.length - 1] += character;
  }
  return alternatives;
}

const isIn = (words: MendableWords, text: string, withTypos: boolean): boolean =>
  words.vocabulary.has(mendWord(text, words, withTypos));

/** The languages in whose phrases a word may stand. */
const languagesWith = keptWithWord((text): LanguageBits =>
  bitsWhere((language) => isIn(fileWordsIn(language), text, false)),
);

/** The languages in whose phrases a word may stand beside words of any kind. */
const languagesWithBesideAny = keptWithWord((text): LanguageBits =>
  bitsWhere((language) => isIn(wordsBesideAnyIn(language), text, language === "en")),
);

/** The languages that may have a phrase which begins at a position. */
export function languagesBeginningAt(position: number, message: readonly MessageWord[]): LanguageBits {
  const word = message[position];
  return word?.kind === "word" ? languagesWith(word.known) : NO_LANGUAGE;
}

/** The same for a message that is given from its last word to its first: phrases may end with words of any kind. */
export function languagesEndingAt(position: number, message: readonly MessageWord[]): LanguageBits {
  const besides = languagesBesideAny(position + 1, position + 1 + MOST_ANY_WORDS, message);
  return languagesBeginningAt(position, message) | besides;
}

/** The languages which may have all words of a message in phrases, along with English. */
export function languagesOfWhole(
  message: readonly MessageWord[],
  isName: (word: string) => boolean,
): LanguageBits {
  let languages = ALL_LANGUAGES;
  for (let at = 0; at < message.length && languages !== NO_LANGUAGE; at++) {
    const word = message[at]!;
    if (word.kind === "emoji" || isName(word.text) || isEnglish(word.known)) continue;
    const besides = languagesBesideAny(at - MOST_ANY_WORDS, at, message);
    if ((besides & bitOf("en")) === 0) languages &= languagesWith(word.known) | besides;
  }
  return languages;
}

/** The bot's visitors' English is mended, so the words of its phrases themselves are asked for. */
const isEnglish = (word: KnownWord): boolean => socialPhrasesIn("en").words.find(word, true) !== UNKNOWN_WORD;

/** The languages in whose phrases one of the words from one position up to another may stand beside words of any kind. */
function languagesBesideAny(from: number, to: number, message: readonly MessageWord[]): LanguageBits {
  let languages = NO_LANGUAGE;
  for (const word of message.slice(Math.max(from, 0), to)) {
    if (word.kind === "word") languages |= languagesWithBesideAny(word.known);
  }
  return languages;
}
