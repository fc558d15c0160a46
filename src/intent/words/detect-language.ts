import { functionWordsOf } from "../../text/function-words.ts";
import { type Language, LANGUAGES } from "../../text/languages.ts";
import { normaliseText } from "../../text/normalise.ts";
import { isWord, TokenBuffer, type WordRanges } from "../../text/tokenise.ts";
import { hashWord } from "../../text/word-hash.ts";
import { meaningsOf } from "./glossary.ts";

/**
 * Share of a bot's words that a language has to know, loan words included. English knows 0.71–0.91 of the words of English data sets and
 * 0.25–0.44 of others; the other languages know 0.82–0.96 of their own, and up to 0.71 of another's (printed by
 * test/bench/intent/language-shares.ts; WebApplications, which is full of products' names, reaches 0.79, but English is tried first).
 */
const LEAST_SHARE_FOUND = { english: 0.6, other: 0.75 };
/** Texts that are read, spread evenly: the shares hardly change after some hundred, and large bots have thousands. */
const MOST_READ = 500;

/**
 * The language that most of these texts are in; undefined where it is none that is known. Tried are the language whose function words
 * are most frequent, English, and the language that knows most of the words. Function words come first, as the words of a trade are
 * often English ("App crash", "Login funktioniert nicht").
 */
export function detectLanguage(texts: readonly string[]): Language | undefined {
  const step = Math.ceil(texts.length / MOST_READ);
  const found = wordsOf(texts.filter((_, i) => i % step === 0));
  if (found.words.length === 0) return undefined;
  const likely = languageWithMost((language) =>
    shareOf(found, ({ hash }) => functionWordsOf(language).has(hash)),
  );
  for (const language of [likely, "en"] as const) if (isIn(found, language)) return language;
  const closest = languageWithMost((language) => shareFound(found, language));
  return isIn(found, closest) ? closest : undefined;
}

/** Of several alike the first in `LANGUAGES`. */
function languageWithMost(amountOf: (language: Language) => number): Language {
  const amounts = LANGUAGES.map(amountOf);
  return LANGUAGES[amounts.indexOf(Math.max(...amounts))]!;
}

function isIn(found: FoundWords, language: Language): boolean {
  const { english, other } = LEAST_SHARE_FOUND;
  return shareFound(found, language) >= (language === "en" ? english : other);
}

function shareFound(found: FoundWords, language: Language): number {
  const meanings = meaningsOf(language);
  return shareOf(found, ({ hash, token }) => meanings.findForm(hash, found.ranges, token) >= 0);
}

function shareOf({ words }: FoundWords, holds: (word: FoundWord) => boolean): number {
  return words.filter(holds).length / words.length;
}

interface FoundWord {
  hash: number;
  /** Its place among the ranges. */
  token: number;
}

/** All words of some texts, however often they occur. */
interface FoundWords {
  ranges: WordRanges;
  words: readonly FoundWord[];
}

function wordsOf(texts: readonly string[]): FoundWords {
  const ranges = new TokenBuffer();
  ranges.read(normaliseText(texts.join("\n")));
  const { codeUnits, starts, ends, count } = ranges;
  const words = Array.from({ length: count }, (_, token) => token)
    .filter((token) => isWord(codeUnits, starts[token]!, ends[token]!))
    .map((token) => ({ hash: hashWord(codeUnits, starts[token]!, ends[token]!), token }));
  return { ranges, words };
}
