/** How fast nearness falls with the angle: at 14, a cosine that is 0.05 less counts half. Ranks best among 8 to 20 on bots that the encoder has not seen. */
const SHARPNESS = 14;
/** Of what is like none of the texts. */
const LEAST = 1e-9;

/**
 * How near a message is in meaning to what is said in several texts, as a natural logarithm, by the cosine to each: 0 where it is the only one, the
 * less the further they are; several that are near say more than one.
 */
export function nearnessOf(cosines: readonly number[]): number {
  const sum = cosines.reduce((total, cosine) => total + Math.exp(SHARPNESS * (cosine - 1)), 0);
  return Math.log(sum / Math.sqrt(Math.max(1, cosines.length)) + LEAST);
}

/** Of vectors of length 1. */
export function cosineOf(left: Float32Array, right: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < left.length; i++) sum += left[i]! * right[i]!;
  return sum;
}
