import type { PhrasesFrom, ReadPhrase } from "./phrase-reader.ts";

/** Longer messages hardly ever consist of phrases only. */
export const MOST_WORDS = 30;

/** Consecutive phrases. */
export type Cover<Section extends string> = readonly ReadPhrase<Section>[];

/** Sequences of phrases from one position on, by end position. */
export type Covers<Section extends string> = ReadonlyMap<number, Cover<Section>>;

/**
 * The shortest sequences of phrases from a position on, for each end position that can be reached; of equally short ones, the first found.
 */
export function coversFrom<Section extends string>(
  start: number,
  length: number,
  phrasesFrom: PhrasesFrom<Section>,
): Covers<Section> {
  const covers = new Map<number, Cover<Section>>([[start, []]]);
  for (let at = start; at < length; at++) {
    const before = covers.get(at);
    if (before === undefined) continue;
    for (const phrase of phrasesFrom(at)) {
      const known = covers.get(phrase.end);
      if (known === undefined || known.length > before.length + 1)
        covers.set(phrase.end, [...before, phrase]);
    }
  }
  return covers;
}
