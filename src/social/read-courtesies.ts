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
import { socialEndingsIn, socialPhrasesIn, type SocialSection } from "./social-phrases.ts";
import { bitOf, languagesBeginningAt, languagesEndingAt, languagesOfWhole } from "./word-languages.ts";

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
  /** Whether covers are of use that reach the end of the message, and no others. */
  whole?: boolean;
  /** Whether the message is given from its last word to its first. */
  backwards?: boolean;
}

/** The courtesies of a message in a language, along with English, as visitors mix the two. */
export function courtesiesOf(
  message: readonly MessageWord[],
  { language: tag, botName }: SocialContext,
  search: CourtesySearch,
): (language: Language) => SocialPhrasesFrom {
  const [own] = languagesFrom(tag);
  const nameWords = nameWordsOf(botName);
  const phrasesIn = oncePerLanguage((language) => {
    const isLikely = language === own || language === "en";
    return phrasesOf(message, phrasesFor(language, search), isLikely ? search : withoutTypos(search));
  });
  return (language) => (position) => {
    const wordless = wordlessAt(position, message, language, nameWords);
    const isCounted = wordless !== undefined && search.sections?.has(wordless.section) !== false;
    return [
      ...(isCounted ? [wordless] : []),
      ...phrasesIn(language)(position),
      ...(language === "en" ? [] : phrasesIn("en")(position)),
    ];
  };
}

const phrasesFor = (language: Language, { backwards = false }: CourtesySearch) =>
  backwards ? socialEndingsIn(language) : socialPhrasesIn(language);

const withoutTypos = (search: CourtesySearch): CourtesySearch =>
  search.withTypos ? { ...search, withTypos: false } : search;

/** A message as it is read in a language: how its courtesies follow each other from the first word on. */
export interface CourtesyReading {
  language: Language;
  covers: Covers<SocialSection>;
}

/**
 * The readings of a message, one after the other, in the order of the languages that are given, of `languagesFrom`. A reading that finds
 * nothing of use, or what the English one has found, is left out; most messages have none.
 */
export function readingsOf(
  message: readonly MessageWord[],
  context: SocialContext,
  search: CourtesySearch,
  languages = languagesFrom(context.language),
): Iterable<CourtesyReading> {
  if (message.length === 0) return [];
  const [own = "en"] = languages;
  const begins =
    wordlessAt(0, message, own, nameWordsOf(context.botName)) !== undefined ||
    hasPhraseAt(0, message, own, search) ||
    (own !== "en" && hasPhraseAt(0, message, "en", search));
  return begins || othersAt([0], message, context, search, languages).length > 0
    ? readings(message, context, search, languages)
    : [];
}

function hasPhraseAt(
  position: number,
  message: readonly MessageWord[],
  language: Language,
  search: CourtesySearch,
): boolean {
  return phrasesAt(position, message, phrasesFor(language, search), search).length > 0;
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
    const isLikely = language === languages[0] || language === "en";
    if (!isLikely) others ??= othersAt(reached, message, context, search, languages);
    if (others?.includes(language) === false) continue;
    const covers = coversFrom(0, message.length, courtesiesIn(language));
    if (isLikely) reached = [...covers.keys()];
    if (covers.size > 1) yield { language, covers };
  }
}

/** Those languages, neither the first nor English, that have a phrase where a reading in the first or in English has come to. */
function othersAt(
  reached: readonly number[],
  message: readonly MessageWord[],
  { botName }: SocialContext,
  search: CourtesySearch,
  languages: readonly Language[],
): readonly Language[] {
  if (languages.length === 1 || languages.at(-1) === "en") return [];
  const languagesAt = search.backwards === true ? languagesEndingAt : languagesBeginningAt;
  let possible = 0;
  for (const position of reached) possible |= languagesAt(position, message);
  const nameWords = nameWordsOf(botName);
  if (possible !== 0 && search.whole === true) {
    possible &= languagesOfWhole(message, (word) => nameWords.has(word));
  }
  if (possible === 0) return [];
  const exact = withoutTypos(search);
  return languages.filter((language, index) => {
    if (index === 0 || language === "en" || (possible & bitOf(language)) === 0) return false;
    return reached.some((position) => hasPhraseAt(position, message, language, exact));
  });
}

/** The language that a tag names, then English, then the others. */
export function languagesFrom(tag = ""): readonly Language[] {
  return languagesByTag(tag);
}

const languagesByTag = remembered((tag): readonly Language[] => {
  const own = LANGUAGES.find((known) => known === tag.toLowerCase().split("-")[0]);
  return [...new Set<Language>([...(own ? [own] : []), "en", ...LANGUAGES])];
});

const nameWordsOf = (botName = ""): ReadonlySet<string> => wordsOfName(botName);

const wordsOfName = remembered(
  (name): ReadonlySet<string> => new Set(wordsOfMessage(name).map(({ text }) => text)),
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
