import { hashWord } from "./features.ts";
import { normaliseText } from "./normalise.ts";
import { isWord, TokenBuffer } from "./tokenise.ts";
import { type WordMeanings, wordMeanings } from "./word-meanings.ts";

/**
 * What is known of words before any example is read: what they mean, where most are found; `isWeighed` where that is part of a text's
 * vector too.
 */
export type WordKnowledge =
  | { isWeighed: true; meanings: WordMeanings }
  | { isWeighed: false; meanings?: WordMeanings };

export const NO_KNOWLEDGE: WordKnowledge = { isWeighed: false };

/** Share of a bot's words that are found; of public data sets in English 0.72–0.91, in Spanish, French and Italian 0.36–0.46. */
const LEAST_SHARE_FOUND = 0.6;
/** Texts that are looked at, spread evenly. */
const MOST_READ = 500;
/** From so many examples on, they say themselves what their words mean, and training would take half as long again. */
const MANY_TEXTS = 2000;

/** What is known of the words of these texts, which a bot is trained on: something where they are mostly English, else nothing. */
export function knowledgeFor(texts: readonly string[]): WordKnowledge {
  const meanings = wordMeanings();
  const step = Math.ceil(texts.length / MOST_READ);
  const sample = texts.filter((_, i) => i % step === 0);
  if (shareFound(sample, meanings) < LEAST_SHARE_FOUND) return NO_KNOWLEDGE;
  return { meanings, isWeighed: texts.length < MANY_TEXTS };
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
      if (meanings.find(hashWord(tokens.units, start, end)) >= 0) found++;
    }
  }
  return total === 0 ? 0 : found / total;
}
