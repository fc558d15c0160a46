import { type Language, LANGUAGES, oncePerLanguage } from "../text/languages.ts";
import { type Covers, coversFrom } from "../text/phrases/cover.ts";
import { type MessageWord, wordsOfMessage } from "../text/phrases/message-words.ts";
import {
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
  { backwards = false, withTypos, sections }: CourtesySearch,
): (language: Language) => SocialPhrasesFrom {
  const [own] = languagesFrom(tag);
  const nameWords = nameWordsOf(botName);
  const inLanguage = oncePerLanguage((language) => {
    const phrases = backwards ? socialEndingsIn(language) : socialPhrasesIn(language);
    const isLikely = language === own || language === "en";
    return phrasesOf(message, phrases, { withTypos: withTypos && isLikely, ...(sections && { sections }) });
  });
  return (language) => (position) => {
    const wordless = wordlessAt(position, message, language, nameWords);
    const isCounted = wordless !== undefined && (sections === undefined || sections.has(wordless.section));
    return [
      ...(isCounted ? [wordless] : []),
      ...inLanguage(language)(position),
      ...(language === "en" ? [] : inLanguage("en")(position)),
    ];
  };
}

/** A message as it is read in a language: how its courtesies follow each other from the first word on. */
export interface CourtesyReading {
  language: Language;
  covers: Covers<SocialSection>;
}

/**
 * The readings of a message, one after the other, in the order of the languages that are given, of `languagesFrom`. A reading that finds
 * nothing, or what the English one has found, is left out.
 */
export function* readingsOf(
  message: readonly MessageWord[],
  context: SocialContext,
  search: CourtesySearch,
  languages = languagesFrom(context.language),
): Generator<CourtesyReading> {
  const courtesiesIn = courtesiesOf(message, context, search);
  let likely: Covers<SocialSection> | undefined;
  let others: ReadonlySet<Language> | undefined;
  for (const language of languages) {
    const isLikely = language === languages[0] || language === "en";
    if (isLikely && likely?.size === 1) continue;
    if (!isLikely) others ??= languagesAt([...likely!.keys()], message, search);
    if (others?.has(language) === false) continue;
    const covers = coversFrom(0, message.length, courtesiesIn(language));
    if (isLikely) likely = covers;
    if (covers.size > 1) yield { language, covers };
  }
}

/** The words of any kind that a phrase may end with, "best regards from …": so far from its end stands one that shows its language. */
export const MOST_ANY_WORDS_AT_THE_END = 2;

/** The languages that may go on with a phrase of their own where English has come to. */
function languagesAt(
  positions: readonly number[],
  message: readonly MessageWord[],
  { backwards = false }: CourtesySearch,
): ReadonlySet<Language> {
  const looked = 1 + (backwards ? MOST_ANY_WORDS_AT_THE_END : 0);
  const words = positions.flatMap((position) => message.slice(position, position + looked));
  return new Set(words.flatMap(({ kind, text }) => (kind === "word" ? socialLanguagesOf(text) : [])));
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
  const place = { start, end: start + 1, language };
  if (kind === "emoji") return { section: sectionOfEmoji(text), ...place };
  return nameWords.has(text) ? { section: "addressee", ...place } : undefined;
}
