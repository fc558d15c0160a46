import type { PhrasesFrom, ReadPhrase } from "./phrase-reader.ts";

/** A longer message is hardly ever made of phrases alone. */
export const MOST_WORDS = 30;

/** Phrases that follow each other. */
export type Cover<Section extends string> = readonly ReadPhrase<Section>[];

/** Covers of a message from one position on, by the position that they reach. */
export type Covers<Section extends string> = ReadonlyMap<number, Cover<Section>>;

/**
 * The fewest phrases that follow each other from a position on, up to each position that can be reached so; of equally few, those found
 * first. A position that cannot be reached is missing.
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
