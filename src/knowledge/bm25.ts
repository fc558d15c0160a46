/** BM25's saturation of occurrences (k1) and weight of a text's length (b), from Robertson and Zaragoza 2009; results hardly change around these values. */
export const K1 = 1.2;
export const B = 0.75;

/** Inverse document frequency of a term. */
export function rareness(frequency: number, count: number): number {
  return Math.log(1 + (count - frequency + 0.5) / (frequency + 0.5));
}

/**
 * BM25 of a text, relative to its maximum.
 * @param counts occurrences of each term.
 * @param weights of the terms.
 * @param relativeLength of the text, where 1 is the mean.
 */
function relativeScore(counts: Float64Array, weights: Float64Array, relativeLength: number): number {
  const norm = K1 * (1 - B + B * relativeLength);
  let score = 0;
  let most = 0;
  for (let i = 0; i < counts.length; i++) {
    most += weights[i]!;
    if (counts[i]! > 0) score += (weights[i]! * counts[i]!) / (counts[i]! + norm);
  }
  return most > 0 ? score / most : 0;
}

/**
 * BM25 of a few texts for a question's grams. A gram in fewer of these texts weighs more, because it tells them apart.
 * @param grams number of the question's grams.
 */
export function scoreGrams(
  grams: number,
  texts: readonly { gramCounts: Float64Array; gramLength: number }[],
): number[] {
  const weights = localWeights(
    texts.map(({ gramCounts }) => gramCounts),
    grams,
  );
  const meanLength = Math.max(1, meanOf(texts.map(({ gramLength }) => gramLength)));
  return texts.map(({ gramCounts, gramLength }) =>
    relativeScore(gramCounts, weights, gramLength / meanLength),
  );
}

/** Weights of terms among a few texts, by the number of texts that contain them. @param countsOf each text's counts, all of one length. */
function localWeights(countsOf: readonly Float64Array[], size: number): Float64Array {
  return Float64Array.from({ length: size }, (_, i) => {
    const holders = countsOf.filter((counts) => counts[i]! > 0).length;
    return rareness(holders, countsOf.length);
  });
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}
