import { type Language, LANGUAGES, oncePerLanguage } from "../text/languages.ts";
import { type MessageWord, wordsOfMessage } from "../text/phrases/message-words.ts";
import { type PhrasesFrom, phrasesOf, type ReadPhrase } from "../text/phrases/phrase-reader.ts";
import { sectionOfEmoji } from "./emoji.ts";
import { type SocialSection, socialPhrasesIn } from "./social-phrases.ts";

/** Who speaks with whom. */
export interface SocialContext {
  /** The bot's language, a BCP 47 tag; its phrases go before others. */
  language?: string | undefined;
  /** What the bot is called, which visitors address it by. */
  botName?: string | undefined;
  /** Whether words are taken as they are written, and no typing error is mended. */
  isExact?: boolean | undefined;
}

/** What is said for courtesy's sake in a message: phrases, emoji, and the bot's name. */
export type SocialPhrasesFrom = PhrasesFrom<SocialSection>;

/**
 * The readings of a message, one after the other: in the bot's language, in English, and in all others; each of them along with
 * English, as visitors mix the two.
 * @param withTypos whether typing errors are mended, in the first two languages.
 */
export function* readingsOf(
  message: readonly MessageWord[],
  { language, botName = "" }: SocialContext,
  withTypos: boolean,
): Generator<SocialPhrasesFrom> {
  const [own] = languagesFrom(language);
  const phrasesIn = oncePerLanguage((one) =>
    phrasesOf(message, socialPhrasesIn(one), withTypos && (one === own || one === "en")),
  );
  const nameWords = new Set(wordsOfMessage(botName).map(({ text }) => text));
  for (const one of languagesFrom(language)) {
    yield (position) => [
      ...wordless(message[position]!, position, one, nameWords),
      ...phrasesIn(one)(position),
      ...(one === "en" ? [] : phrasesIn("en")(position)),
    ];
  }
}

/** The language that a tag names, then English, then the others. */
export function languagesFrom(tag: string | undefined): Iterable<Language> {
  const own = LANGUAGES.find((known) => known === tag?.toLowerCase().split("-")[0]);
  return new Set<Language>([...(own ? [own] : []), "en", ...LANGUAGES]);
}

function wordless(
  { kind, text }: MessageWord,
  start: number,
  language: Language,
  nameWords: ReadonlySet<string>,
): ReadPhrase<SocialSection>[] {
  const place = { start, end: start + 1, language };
  if (kind === "emoji") return [{ section: sectionOfEmoji(text), ...place }];
  return nameWords.has(text) ? [{ section: "addressee", ...place }] : [];
}
