import { type Language, LANGUAGES } from "../../text/languages.ts";
import { normaliseText } from "../../text/normalise.ts";
import { isWord, TokenBuffer, type WordRanges } from "../../text/tokenise.ts";
import { hashWord } from "../features/features.ts";
import { functionWordsOf } from "./function-words.ts";
import { meaningsOf } from "./glossary.ts";
import type { WordMeanings } from "./word-meanings.ts";

/** What is known of a language's words before any example is read; `isWeighed` where what they mean is part of a text's vector too. */
export interface KnownLanguage {
  language: Language;
  meanings: WordMeanings;
  isWeighed: boolean;
}

export type WordKnowledge = KnownLanguage | { isWeighed: false; language?: undefined; meanings?: undefined };

export const NO_KNOWLEDGE: WordKnowledge = { isWeighed: false };

/** Shares of a bot's words that are found. In English, of texts in English 0.72–0.90, of others 0.25–0.44. */
const LEAST_SHARE_ENGLISH = 0.6;
/** In other languages, loan words included: of texts in that language 0.80–0.95, in another one up to 0.66. */
const LEAST_SHARE = 0.75;
/** Texts that are looked at, spread evenly. */
const MOST_READ = 500;
/** From so many examples on, they say themselves what their words mean, and training would take half as long again. */
const MANY_TEXTS = 2000;

/** What is known of the words of these texts, which a bot is trained on: something where they are mostly of one of the languages. */
export function knowledgeFor(texts: readonly string[]): WordKnowledge {
  const step = Math.ceil(texts.length / MOST_READ);
  const sample = texts.filter((_, i) => i % step === 0);
  const language = languageOf(sample);
  if (language === undefined) return NO_KNOWLEDGE;
  return { language, meanings: meaningsOf(language), isWeighed: texts.length < MANY_TEXTS };
}

/**
 * The language whose function words are most frequent, if enough of its words are found; or else English, or the one of which most are
 * found. Function words come first, as the words of a trade are often English ("App crash", "Login funktioniert nicht").
 */
function languageOf(texts: readonly string[]): Language | undefined {
  const words = wordsOf(texts);
  if (words.tokens.length === 0) return undefined;
  const likely = mostOf((language) => shareOf(words, ({ hash }) => functionWordsOf(language).has(hash)));
  for (const language of [likely, "en"] as const) if (isIn(words, language)) return language;
  const closest = mostOf((language) => shareFound(words, language));
  return isIn(words, closest) ? closest : undefined;
}

/** Among equals the first. */
function mostOf(amountOf: (language: Language) => number): Language {
  const amounts = LANGUAGES.map(amountOf);
  return LANGUAGES[amounts.indexOf(Math.max(...amounts))]!;
}

function isIn(words: Words, language: Language): boolean {
  return shareFound(words, language) >= (language === "en" ? LEAST_SHARE_ENGLISH : LEAST_SHARE);
}

function shareFound(words: Words, language: Language): number {
  const meanings = meaningsOf(language);
  return shareOf(words, ({ hash, token }) => meanings.findForm(hash, words.ranges, token) >= 0);
}

function shareOf({ tokens }: Words, holds: (word: Word) => boolean): number {
  return tokens.filter(holds).length / tokens.length;
}

interface Word {
  hash: number;
  /** Which of the ranges it is. */
  token: number;
}

/** The words of some texts among all their tokens. */
interface Words {
  ranges: WordRanges;
  tokens: readonly Word[];
}

/** All words, however often they occur. */
function wordsOf(texts: readonly string[]): Words {
  const ranges = new TokenBuffer();
  ranges.read(normaliseText(texts.join("\n")));
  const { units, starts, ends, count } = ranges;
  const tokens = Array.from({ length: count }, (_, token) => token)
    .filter((token) => isWord(units, starts[token]!, ends[token]!))
    .map((token) => ({ hash: hashWord(units, starts[token]!, ends[token]!), token }));
  return { ranges, tokens };
}
