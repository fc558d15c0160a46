/**
 * How quickly nearness falls with the cosine: at 14, a difference of 0.05 halves it. The best value between 8 and 20 for ranking, on bots
 * that the encoder has not seen.
 */
const SHARPNESS = 14;
/** Nearness of a message that is unlike all texts. */
const LEAST = 1e-9;

/**
 * How close in meaning a message is to a set of texts, as a natural logarithm, from the cosine to each: 0 at most, decreasing with
 * distance; several close texts count more than one.
 */
export function nearnessOf(cosines: readonly number[]): number {
  const sum = cosines.reduce((total, cosine) => total + Math.exp(SHARPNESS * (cosine - 1)), 0);
  return Math.log(sum / Math.sqrt(Math.max(1, cosines.length)) + LEAST);
}

/** For vectors with an L2 norm of 1. */
export function cosineOf(left: Float32Array, right: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < left.length; i++) sum += left[i]! * right[i]!;
  return sum;
}
