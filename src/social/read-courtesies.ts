import { type Language, LANGUAGES, oncePerLanguage } from "../text/languages.ts";
import { remembered } from "../text/phrases/known-word.ts";
import { type MessageWord, wordsOfMessage } from "../text/phrases/message-words.ts";
import {
  hasPhraseAt,
  type PhraseSearch,
  type PhrasesFrom,
  phrasesOf,
  type ReadPhrase,
  type Covers,
  coversFrom,
} from "../text/phrases/phrase-reader.ts";
import { socialEndingsIn, socialPhrasesIn, type SocialSection, sectionOfEmoji } from "./social-phrases.ts";
import {
  bitOf,
  type LanguageBits,
  languagesBeginningAt,
  languagesEndingAt,
  languagesOfWhole,
} from "./word-languages.ts";

/** Facts about the bot and its conversation. */
export interface SocialContext {
  /** The bot's language, a BCP 47 tag; its phrases have precedence. */
  language?: string | undefined;
  /** The bot's name, by which visitors address it. */
  botName?: string | undefined;
  /** Whether asking for a person counts as small talk. */
  offersPerson?: boolean | undefined;
  /** Whether words must match as written, without correction of typing errors. */
  isExact?: boolean | undefined;
}

/** Courtesies in a message: phrases, emoji, and the bot's name. */
export type SocialPhrasesFrom = PhrasesFrom<SocialSection>;

/** The search for courtesies. Typing errors are corrected in the bot's language and in English only. */
export interface CourtesySearch extends PhraseSearch<SocialSection> {
  /** Whether only covers that reach the end of the message are useful. */
  whole?: boolean;
  /** Whether the message is given in reverse order of its words. */
  backwards?: boolean;
}

/** The courtesies of a message in a language and in English, because visitors mix the two. */
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

/** A reading of a message in one language: its sequence of courtesies from the first word on. */
export interface CourtesyReading {
  language: Language;
  covers: Covers<SocialSection>;
}

/**
 * The readings of a message one after the other, in the order of the given languages (`languagesFrom`). A reading without any useful phrase, or
 * with the same as the English one, is left out; most messages have none.
 */
export function readingsOf(
  message: readonly MessageWord[],
  context: SocialContext,
  search: CourtesySearch,
  languages = languagesFrom(context.language),
): Iterable<CourtesyReading> {
  if (message.length === 0) return [];
  const lookup = { message, context, search, languages };
  return beginsInLikely(lookup) || othersAt(AT_THE_BEGINNING, lookup).length > 0 ? readings(lookup) : [];
}

const AT_THE_BEGINNING: readonly number[] = [0];
/** Phrases, message and languages: the bot's own and English are likely, others are tried where possible. */
interface Lookup {
  message: readonly MessageWord[];
  context: SocialContext;
  search: CourtesySearch;
  /** The bot's own first. */
  languages: readonly Language[];
}

/** Whether a message begins with a courtesy in the bot's own language or in English. */
function beginsInLikely({ message, context, search, languages: [own = "en"] }: Lookup): boolean {
  return (
    wordlessAt(0, message, own, nameWordsOf(context.botName)) !== undefined ||
    hasPhraseAt(0, message, phrasesFor(own, search), search) ||
    (own !== "en" && hasPhraseAt(0, message, phrasesFor("en", search), search))
  );
}

function* readings(lookup: Lookup): Generator<CourtesyReading> {
  const { message, context, search, languages } = lookup;
  const courtesiesIn = courtesiesOf(message, context, search);
  let reached = AT_THE_BEGINNING;
  let others: readonly Language[] | undefined;
  for (const language of languages) {
    const isLikely = language === languages[0] || language === "en";
    if (!isLikely) others ??= othersAt(reached, lookup);
    if (others?.includes(language) === false) continue;
    const covers = coversFrom(0, message.length, courtesiesIn(language));
    if (isLikely) reached = [...covers.keys()];
    if (covers.size > 1) yield { language, covers };
  }
}

/** The unlikely languages with a phrase at one of the positions that the last likely reading has reached. */
function othersAt(reached: readonly number[], lookup: Lookup): readonly Language[] {
  const { message, search, languages } = lookup;
  const possible = possibleAt(reached, lookup);
  if (possible === 0) return [];
  const exact = withoutTypos(search);
  return languages.filter((language) => {
    if ((possible & bitOf(language)) === 0) return false;
    const phrases = phrasesFor(language, exact);
    return reached.some((position) => hasPhraseAt(position, message, phrases, exact));
  });
}

/** The unlikely languages that may have a phrase at one of some positions, judged by the words. */
function possibleAt(
  positions: readonly number[],
  { message, context, search, languages }: Lookup,
): LanguageBits {
  const others = othersAmong(languages);
  if (others === 0) return 0;
  const languagesAt = search.backwards === true ? languagesEndingAt : languagesBeginningAt;
  let possible = 0;
  for (let i = 0; i < positions.length; i++) possible |= languagesAt(positions[i]!, message) & others;
  if (possible === 0 || search.whole !== true) return possible;
  const nameWords = nameWordsOf(context.botName);
  return possible & languagesOfWhole(message, (word) => nameWords.has(word));
}

/** The given languages except the first and English. */
function othersAmong(languages: readonly Language[]): LanguageBits {
  const others = languages.slice(1).filter((language) => language !== "en");
  return others.reduce((sum, language) => sum | bitOf(language), 0);
}

/** The language of a tag, then English, then the others. */
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
