import type { Chances } from "../calibration/calibration.ts";

/**
 * A confidence for every intent. The best gets `confidence`. The others share what is left of `inScope` by their probabilities; none
 * gets more than the best.
 */
export function shareChances(
  probabilities: ArrayLike<number>,
  best: number,
  { inScope, confidence }: Chances,
): Float32Array {
  const confidences = new Float32Array(probabilities.length);
  const others = 1 - probabilities[best]!;
  const factor = others > 0 ? (inScope - confidence) / others : 0;
  for (let k = 0; k < confidences.length; k++) {
    confidences[k] = k === best ? confidence : Math.min(confidence, factor * probabilities[k]!);
  }
  return confidences;
}
