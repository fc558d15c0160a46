import type { BotDocument } from "../domain/bot.ts";
import { TEXT_LANGUAGES, type TextLanguage } from "../domain/texts.ts";
import { functionWordsOf } from "../text/function-words.ts";
import { LANGUAGES } from "../text/languages.ts";
import { normaliseText } from "../text/normalise.ts";
import { hashWordText } from "../text/word-hash.ts";

/** Letters that one of the languages alone has. Kana come first: Japanese has Han characters as well. */
const SCRIPTS: readonly [TextLanguage, RegExp][] = [
  ["ja", /[\p{Script=Hiragana}\p{Script=Katakana}]/gu],
  ["zh", /\p{Script=Han}/gu],
  ["ar", /\p{Script=Arabic}/gu],
];

/** Frequent words of the two languages that have no file of function words. */
const FEW_FUNCTION_WORDS: Partial<Record<TextLanguage, string>> = {
  pl: "nie jak czy w na z do jest się to mam mogę gdzie kiedy ile co o dla za moje mój moją od po są już proszę dlaczego jakie który",
  tr: "ve bir bu ne nasıl mı mi mu mü var yok için ile nerede zaman kaç benim ben çok daha da de olarak kadar hangi neden istiyorum",
};

/** Fewer of the letters, and a text in another script quotes them. */
const LEAST_SHARE_OF_SCRIPT = 0.2;
/** Function words are 30–60 % of a text in their language, and up to a tenth of one in another. */
const LEAST_SHARE_OF_WORDS = 0.12;
/** Texts that are read: what a language is shows within a hundred. */
const MOST_READ = 100;
const DEFAULT: TextLanguage = "en";

/** The language that a bot speaks: the one that its file names, or that of its examples; English where it is none that is known. */
export function languageOfBot({
  language,
  intents = [],
}: Pick<BotDocument, "language" | "intents">): TextLanguage {
  if (language !== undefined) return textLanguageOf(language) ?? DEFAULT;
  return languageOfTexts(intents.flatMap(({ examples = [] }) => examples)) ?? DEFAULT;
}

/** The language of a BCP 47 tag: `de` of `de-AT`. Undefined where it is none of the twelve. */
export function textLanguageOf(tag: string): TextLanguage | undefined {
  const primary = tag.toLowerCase().split("-")[0];
  return TEXT_LANGUAGES.find((language) => language === primary);
}

/** The language that most of these texts are in, of the twelve; undefined where none of them is likely. */
export function languageOfTexts(texts: readonly string[]): TextLanguage | undefined {
  const read = texts.slice(0, MOST_READ).join("\n");
  return languageOfScript(read) ?? languageOfWords(normaliseText(read).match(/[\p{L}\p{M}']+/gu) ?? []);
}

function languageOfScript(text: string): TextLanguage | undefined {
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  return SCRIPTS.find(
    ([, script]) => (text.match(script)?.length ?? 0) > LEAST_SHARE_OF_SCRIPT * letters,
  )?.[0];
}

function languageOfWords(words: readonly string[]): TextLanguage | undefined {
  if (words.length === 0) return undefined;
  const hashes = words.map(hashWordText);
  const counts = [
    ...LANGUAGES.map((language) => [language, functionWordsOf(language)] as const),
    ...Object.entries(FEW_FUNCTION_WORDS).map(
      ([language, few]) => [language as TextLanguage, hashesOf(few)] as const,
    ),
  ].map(([language, known]) => ({ language, count: hashes.filter((hash) => known.has(hash)).length }));
  const best = counts.reduce((most, other) => (other.count > most.count ? other : most));
  return best.count >= LEAST_SHARE_OF_WORDS * words.length ? best.language : undefined;
}

function hashesOf(words: string): ReadonlySet<number> {
  return new Set(words.split(" ").map((word) => hashWordText(normaliseText(word))));
}
