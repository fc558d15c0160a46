import { chatSpeakIn } from "../text/chat-speak.ts";
import { type Language, LANGUAGES } from "../text/languages.ts";
import { normaliseText } from "../text/normalise.ts";
import { keptWithWord, type KnownWord } from "../text/phrases/known-word.ts";
import { mendWord, squeezed, UNKNOWN_WORD, withoutUmlauts } from "../text/phrases/mend-word.ts";
import type { MessageWord } from "../text/phrases/message-words.ts";
import { socialPhrasesIn, socialTextIn } from "./social-phrases.ts";

// Judges from a message's words in which languages its courtesies may be, including too many rather than too few, so that other languages'
// phrases need not be loaded: loading a file's words takes a tenth of the time of loading its phrases.

/** A set of languages as bits. */
export type LanguageBits = number;

const ALL_LANGUAGES: LanguageBits = 2 ** LANGUAGES.length - 1;
const NO_LANGUAGE: LanguageBits = 0;

const BITS = Object.fromEntries(LANGUAGES.map((language, place) => [language, 1 << place]));

/** The bit of a language. */
export const bitOf = (language: Language): LanguageBits => BITS[language]!;

/** Most consecutive wildcard words in a phrase: "best regards from * *". */
export const MAX_ANY_WORDS = 3;

/** The languages of words in `squeezed` form, including abbreviations. */
type LanguagesByWord = ReadonlyMap<string, LanguageBits>;

function languagesByWord(wordsIn: (language: Language) => readonly string[]): LanguagesByWord {
  const languages = new Map<string, LanguageBits>();
  for (const language of LANGUAGES) {
    const words = new Set(wordsIn(language));
    const abbreviations = [...chatSpeakIn(language)].filter(([, [meant = ""]]) => words.has(meant));
    for (const word of [...words, ...abbreviations.map(([abbreviation]) => abbreviation)]) {
      const key = squeezed(word);
      languages.set(key, (languages.get(key) ?? NO_LANGUAGE) | bitOf(language));
    }
  }
  return languages;
}

const wordsOf = (text: string): string[] => text.match(/[\p{L}\p{M}\p{N}']+/gu) ?? [];

const allWordsIn = (language: Language): string[] => wordsOf(normaliseText(socialTextIn(language)));

/** Words of phrases with wildcards. */
function wordsBesideAnyIn(language: Language): string[] {
  const lines = normaliseText(socialTextIn(language)).split("\n");
  const phrases = lines.filter((line) => line.includes("*")).flatMap(alternativesOf);
  return phrases.filter((phrase) => phrase.includes("*")).flatMap(wordsOf);
}

/** The alternatives of a line, separated by `|` outside brackets. */
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

/** The languages with a word in any mended form, except typing errors. */
const languagesOf = (text: string, languages: LanguagesByWord): LanguageBits =>
  (languages.get(squeezed(text)) ?? NO_LANGUAGE) |
  (languages.get(squeezed(withoutUmlauts(text))) ?? NO_LANGUAGE);

function once<Made>(make: () => Made): () => Made {
  let made: Made | undefined;
  return () => (made ??= make());
}

const allWords = once(() => languagesByWord(allWordsIn));
const wordsBesideAny = once(() => languagesByWord(wordsBesideAnyIn));

/** The languages with a word in their phrases. */
const languagesWith = keptWithWord((text) => languagesOf(text, allWords()));

/** The languages with a word in phrases with wildcards; in English, typing errors are corrected. */
const languagesWithBesideAny = keptWithWord((text) => {
  const inEnglish = mendWord(text, socialPhrasesIn("en").words, true);
  return languagesOf(text, wordsBesideAny()) | (languagesOf(inEnglish, wordsBesideAny()) & bitOf("en"));
});

/** The languages that may have a phrase beginning at a position. */
export function languagesBeginningAt(position: number, message: readonly MessageWord[]): LanguageBits {
  const word = message[position];
  return word?.kind === "word" ? languagesWith(word.known) : NO_LANGUAGE;
}

/** The same for a message in reverse order of its words, where phrases may begin with wildcards. */
export function languagesEndingAt(position: number, message: readonly MessageWord[]): LanguageBits {
  const besides = languagesBesideAny(position + 1, position + 1 + MAX_ANY_WORDS, message);
  return languagesBeginningAt(position, message) | besides;
}

/** The languages, together with English, that may have all words of a message in phrases. */
export function languagesOfWhole(
  message: readonly MessageWord[],
  isName: (word: string) => boolean,
): LanguageBits {
  let languages = ALL_LANGUAGES;
  for (let at = 0; at < message.length && languages !== NO_LANGUAGE; at++) {
    const word = message[at]!;
    if (word.kind === "emoji" || isName(word.text) || isEnglish(word.known)) continue;
    const besides = languagesBesideAny(Math.max(at - MAX_ANY_WORDS, 0), at, message);
    if ((besides & bitOf("en")) === 0) languages &= languagesWith(word.known) | besides;
  }
  return languages;
}

/** Whether a word is in an English phrase, with typing errors corrected. */
const isEnglish = (word: KnownWord): boolean => socialPhrasesIn("en").words.find(word, true) !== UNKNOWN_WORD;

/** The languages in whose wildcard phrases one of the words in a range may be. */
function languagesBesideAny(from: number, to: number, message: readonly MessageWord[]): LanguageBits {
  let languages = NO_LANGUAGE;
  for (let at = from; at < to && at < message.length; at++) {
    const word = message[at]!;
    if (word.kind === "word") languages |= languagesWithBesideAny(word.known);
  }
  return languages;
}
