/**
 * Shares of the logarithms in the blend. They may add up to more than 1, as the classifier and the encoder look at different things. The
 * encoder's sinks with the natural logarithm of the examples per intent: the more there are, the more their words say by themselves.
 * Printed, as they fit best, by test/bench/intent/fit-sentence-calibration.ts.
 */
const CLASSIFIER_SHARE = 0.79;
const ENCODER_SHARE = { atOneExample: 1.1, lessPerLnExamples: 0.21 };
/** With hundreds of examples the encoder still has a say. Beyond what bots the shares were fitted on have; chosen by hand. */
const LEAST_ENCODER_SHARE = 0.1;
/** Added to each probability, so that neither of the two can rule an intent out. Chosen by hand. */
const LEAST = 0.001;

/**
 * What the classifier and the sentence encoder say together.
 * @param encoder probabilities by the encoder's ridge model.
 * @param classifier probabilities by the classifier's scores; undefined where it knows no word of the text.
 * @param examplesPerIntent that were encoded.
 * @returns probabilities: one for each intent, their sum 1.
 */
export function blendProbabilities(
  encoder: ArrayLike<number>,
  classifier: ArrayLike<number> | undefined,
  examplesPerIntent: number,
): Float64Array {
  const count = encoder.length;
  const share = encoderShare(examplesPerIntent);
  const powers = Float64Array.from({ length: count }, (_, k) => {
    const ofClassifier = classifier?.[k] ?? 1 / count;
    return (encoder[k]! + LEAST) ** share * (ofClassifier + LEAST) ** CLASSIFIER_SHARE;
  });
  const total = powers.reduce((sum, power) => sum + power, 0);
  return powers.map((power) => power / total);
}

function encoderShare(examplesPerIntent: number): number {
  const { atOneExample, lessPerLnExamples } = ENCODER_SHARE;
  return Math.max(LEAST_ENCODER_SHARE, atOneExample - lessPerLnExamples * Math.log(examplesPerIntent));
}
