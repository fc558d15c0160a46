import type { PhrasesFrom, ReadPhrase } from "./phrase-reader.ts";

/** Phrases that follow each other. */
export type Cover<Section extends string> = readonly ReadPhrase<Section>[];

/**
 * The fewest phrases that follow each other from a position on, up to each position that can be reached so; of equally few, those found
 * first. A position that cannot be reached is missing.
 */
export function coversFrom<Section extends string>(
  start: number,
  length: number,
  phrasesFrom: PhrasesFrom<Section>,
): Map<number, Cover<Section>> {
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
