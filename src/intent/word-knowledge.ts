import { hashWord } from "./features.ts";
import { meaningsOf } from "./glossary.ts";
import { type Language, LANGUAGES } from "./languages.ts";
import { normaliseText } from "./normalise.ts";
import { isWord, TokenBuffer } from "./tokenise.ts";
import type { WordMeanings } from "./word-meanings.ts";

/** What is known of a language's words before any example is read; `isWeighed` where what they mean is part of a text's vector too. */
export interface KnownLanguage {
  language: Language;
  meanings: WordMeanings;
  isWeighed: boolean;
}

export type WordKnowledge = KnownLanguage | { isWeighed: false; language?: undefined; meanings?: undefined };

export const NO_KNOWLEDGE: WordKnowledge = { isWeighed: false };

/** Shares of a bot's words that are found. In English, of public data sets in English 0.72–0.91, of others 0.28–0.33. */
const LEAST_SHARE_ENGLISH = 0.6;
/** In other languages, loan words included: of data sets in that language 0.91–0.95, in another one up to 0.61. */
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

/** English where enough is English, else the language of which most words are found. */
function languageOf(texts: readonly string[]): Language | undefined {
  if (shareFound(texts, meaningsOf("en")) >= LEAST_SHARE_ENGLISH) return "en";
  const shares = LANGUAGES.map((language) => shareFound(texts, meaningsOf(language)));
  const greatest = Math.max(...shares);
  return greatest < LEAST_SHARE ? undefined : LANGUAGES[shares.indexOf(greatest)];
}

/** Of all words, however often they occur. */
function shareFound(texts: readonly string[], meanings: WordMeanings): number {
  const tokens = new TokenBuffer();
  let total = 0;
  let found = 0;
  for (const text of texts) {
    tokens.read(normaliseText(text));
    for (let t = 0; t < tokens.count; t++) {
      const start = tokens.starts[t]!;
      const end = tokens.ends[t]!;
      if (!isWord(tokens.units, start, end)) continue;
      total++;
      if (meanings.findForm(hashWord(tokens.units, start, end), tokens, t) >= 0) found++;
    }
  }
  return total === 0 ? 0 : found / total;
}
