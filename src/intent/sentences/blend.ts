/**
 * Shares of the logarithms in the blend. They add up to more than 1, as the classifier and the encoder look at different things. Printed,
 * as they fit best, by test/bench/intent/fit-sentence-calibration.ts.
 */
const ENCODER_SHARE = 0.69;
const CLASSIFIER_SHARE = 0.8;
/** Added to each probability, so that neither of the two can rule an intent out. */
const LEAST = 0.001;

/**
 * What the classifier and the sentence encoder say together.
 * @param encoder probabilities by the encoder's ridge model.
 * @param classifier probabilities by the classifier's scores; undefined where it knows no word of the text.
 * @returns probabilities: one for each intent, their sum 1.
 */
export function blendProbabilities(
  encoder: ArrayLike<number>,
  classifier: ArrayLike<number> | undefined,
): Float64Array {
  const count = encoder.length;
  const powers = Float64Array.from({ length: count }, (_, k) => {
    const ofClassifier = classifier?.[k] ?? 1 / count;
    return (encoder[k]! + LEAST) ** ENCODER_SHARE * (ofClassifier + LEAST) ** CLASSIFIER_SHARE;
  });
  const total = powers.reduce((sum, power) => sum + power, 0);
  return powers.map((power) => power / total);
}
