/**
 * What a sum of kernels, and the logarithm of a probability by the classifier, add to the log odds of an intent. Printed, as they fit best, by
 * `npm run bench:intent -- --fit`.
 */
const RIDGE_SHARE = 38.4;
const CLASSIFIER_SHARE = 0.17;
/** Added to each probability of the classifier, so that it cannot rule an intent out. Chosen by hand. */
export const LEAST = 0.001;

/**
 * What the classifier and the encoder say together.
 * @param sums by the encoder's ridge model.
 * @param classifier probabilities by the classifier's scores; undefined where it knows no word of the text.
 * @returns probabilities: one for each intent, their sum 1.
 */
export function blendProbabilities(
  sums: ArrayLike<number>,
  classifier: ArrayLike<number> | undefined,
): Float64Array {
  const odds = Float64Array.from(
    sums,
    (sum, k) => RIDGE_SHARE * sum + CLASSIFIER_SHARE * Math.log((classifier?.[k] ?? 0) + LEAST),
  );
  const greatest = Math.max(...odds);
  const powers = odds.map((value) => Math.exp(value - greatest));
  const total = powers.reduce((sum, power) => sum + power, 0);
  return powers.map((power) => power / total);
}
