import { type Language, LANGUAGES, oncePerLanguage } from "../text/languages.ts";
import { type Covers, coversFrom } from "../text/phrases/cover.ts";
import { type MessageWord, wordsOfMessage } from "../text/phrases/message-words.ts";
import {
  phrasesAt,
  type PhraseSearch,
  type PhrasesFrom,
  phrasesOf,
  type ReadPhrase,
} from "../text/phrases/phrase-reader.ts";
import { remembered } from "../text/phrases/remembered.ts";
import { sectionOfEmoji } from "./emoji.ts";
import { socialEndingsIn, socialLanguagesOf, socialPhrasesIn, type SocialSection } from "./social-phrases.ts";

/** Who speaks with whom. */
export interface SocialContext {
  /** The bot's language, a BCP 47 tag; its phrases go before others. */
  language?: string | undefined;
  /** What the bot is called, which visitors address it by. */
  botName?: string | undefined;
}

/** What is said for courtesy's sake in a message: phrases, emoji, and the bot's name. */
export type SocialPhrasesFrom = PhrasesFrom<SocialSection>;

/** What is looked for. Typing errors are mended in the bot's language and in English alone. */
export interface CourtesySearch extends PhraseSearch<SocialSection> {
  /** Whether the message is given from its last word to its first. */
  backwards?: boolean;
}

/** The courtesies of a message in a language, along with English, as visitors mix the two. */
export function courtesiesOf(
  message: readonly MessageWord[],
  { language: tag, botName = "" }: SocialContext,
  search: CourtesySearch,
): (language: Language) => SocialPhrasesFrom {
  const [own] = languagesFrom(tag);
  const nameWords = nameWordsOf(botName);
  const phrasesIn = oncePerLanguage((language) => {
    const isLikely = language === own || language === "en";
    return phrasesOf(message, bookOf(language, search), isLikely ? search : withoutTypos(search));
  });
  return (language) => (position) => {
    const wordless = wordlessAt(position, message, language, nameWords);
    const isCounted = wordless !== undefined && search.sections?.has(wordless.section) !== false;
    const own = phrasesIn(language)(position);
    const english = language === "en" ? [] : phrasesIn("en")(position);
    return isCounted ? [wordless, ...own, ...english] : english.length === 0 ? own : [...own, ...english];
  };
}

const bookOf = (language: Language, { backwards }: CourtesySearch) =>
  backwards === true ? socialEndingsIn(language) : socialPhrasesIn(language);

const withoutTypos = (search: CourtesySearch): CourtesySearch => ({ ...search, withTypos: false });

/** A message as it is read in a language: how its courtesies follow each other from the first word on. */
export interface CourtesyReading {
  language: Language;
  covers: Covers<SocialSection>;
}

/**
 * The readings of a message, one after the other, in the order of the languages that are given, of `languagesFrom`. A reading that finds
 * nothing, or what the English one has found, is left out.
 */
export function readingsOf(
  message: readonly MessageWord[],
  context: SocialContext,
  search: CourtesySearch,
  languages = languagesFrom(context.language),
): Iterable<CourtesyReading> {
  if (message.length === 0) return [];
  const begins = beginsInLikely(message, context, search, languages);
  return begins || languagesAt([0], message, search, languages).length > 0
    ? readings(message, context, search, languages)
    : [];
}

/** Whether a message begins with a courtesy in the bot's language or in English. */
function beginsInLikely(
  message: readonly MessageWord[],
  { botName = "" }: SocialContext,
  search: CourtesySearch,
  [own = "en"]: readonly Language[],
): boolean {
  const begins = (language: Language) =>
    phrasesAt(0, message, bookOf(language, search), search).length > 0;
  return wordlessAt(0, message, own, nameWordsOf(botName)) !== undefined || begins(own) || (own !== "en" && begins("en"));
}

function* readings(
  message: readonly MessageWord[],
  context: SocialContext,
  search: CourtesySearch,
  languages: readonly Language[],
): Generator<CourtesyReading> {
  const courtesiesIn = courtesiesOf(message, context, search);
  let reached: readonly number[] = [0];
  let others: readonly Language[] | undefined;
  for (const language of languages) {
    const isLikely = language === "en" || language === languages[0];
    if (!isLikely) others ??= languagesAt(reached, message, search, languages);
    if (others?.includes(language) === false) continue;
    const covers = coversFrom(0, message.length, courtesiesIn(language));
    if (isLikely) reached = [...covers.keys()];
    if (covers.size > 1) yield { language, covers };
  }
}

/** The words of any kind that a phrase may end with, "best regards from …": so far from its end stands one that shows its language. */
export const MOST_ANY_WORDS_AT_THE_END = 2;
const NONE: readonly Language[] = [];

/** Those of some languages, neither the first of them nor English, that have phrases at some positions. */
function languagesAt(
  positions: readonly number[],
  message: readonly MessageWord[],
  search: CourtesySearch,
  languages: readonly Language[],
): readonly Language[] {
  if (languages.at(-1) === "en" || languages.length === 1) return [];
  const possible = possibleLanguagesAt(positions, message, search);
  if (possible.length === 0) return possible;
  const exact = withoutTypos(search);
  const hasPhrase = (language: Language) => (position: number) =>
    phrasesAt(position, message, bookOf(language, search), exact).length > 0;
  return languages.filter(
    (language, index) =>
      index > 0 && language !== "en" && possible.includes(language) && positions.some(hasPhrase(language)),
  );
}

/** The languages that may have phrases at some positions; told without reading the phrases. */
function possibleLanguagesAt(
  positions: readonly number[],
  message: readonly MessageWord[],
  { backwards = false }: CourtesySearch,
): readonly Language[] {
  let possible: readonly Language[] = [];
  for (const position of positions) {
    const last = Math.min(position + (backwards ? MOST_ANY_WORDS_AT_THE_END : 0), message.length - 1);
    for (let at = position; at <= last; at++) {
      const word = message[at]!;
      const here = word.kind === "word" ? socialLanguagesOf(word.known) : [];
      if (here.length > 0) possible = [...possible, ...here];
    }
  }
  return possible;
}

/** The language that a tag names, then English, then the others. */
export function languagesFrom(tag = ""): readonly Language[] {
  return languagesByTag(tag);
}

const languagesByTag = remembered((tag): readonly Language[] => {
  const own = LANGUAGES.find((known) => known === tag.toLowerCase().split("-")[0]);
  return [...new Set<Language>([...(own ? [own] : []), "en", ...LANGUAGES])];
});

const nameWordsOf = remembered(
  (botName): ReadonlySet<string> => new Set(wordsOfMessage(botName).map(({ text }) => text)),
);

function wordlessAt(
  start: number,
  message: readonly MessageWord[],
  language: Language,
  nameWords: ReadonlySet<string>,
): ReadPhrase<SocialSection> | undefined {
  const { kind, text } = message[start]!;
  if (kind === "emoji") return { section: sectionOfEmoji(text), start, end: start + 1, language };
  return nameWords.has(text) ? { section: "addressee", start, end: start + 1, language } : undefined;
}
