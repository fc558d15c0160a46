import { MEANING_DIMENSIONS, type WordMeanings } from "../words/word-meanings.ts";
import { type FeatureBuffer, WORD_GROUP } from "./features.ts";

/**
 * Length of a sum of word vectors below which the sum weighs less than other groups. A word's vector is as long as its weight, 0–1, so
 * that a shorter sum is one of frequent words alone, which say next to nothing. Chosen by hand.
 */
const FULL_LENGTH = 0.5;

/** The factor that a sum of word vectors of this length gets. */
export function meaningScale(length: number, { groupWeight }: WordMeanings): number {
  return groupWeight / Math.max(length, FULL_LENGTH);
}

/**
 * Sets `sum` to what the words of a text mean together, words that no example holds among them.
 * @returns whether any of the words is known.
 */
export function sumMeanings(
  { hashes, groupEnds, tokens }: FeatureBuffer,
  meanings: WordMeanings,
  sum: Float64Array,
): boolean {
  sum.fill(0);
  let found = false;
  for (let i = 0; i < groupEnds[WORD_GROUP]!; i++) {
    const word = meanings.findForm(hashes[i]!, tokens, i);
    if (word < 0) continue;
    meanings.addTo(sum, word);
    found = true;
  }
  if (!found) return false;
  let squares = 0;
  for (let d = 0; d < MEANING_DIMENSIONS; d++) squares += sum[d]! ** 2;
  const scale = meaningScale(Math.sqrt(squares), meanings);
  for (let d = 0; d < MEANING_DIMENSIONS; d++) sum[d]! *= scale;
  return true;
}
