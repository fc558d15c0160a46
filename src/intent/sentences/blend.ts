import type { Evidence } from "../scoring/evidence.ts";

/**
 * What a sum of kernels adds to the log odds of an intent; and the logarithm of a probability by the classifier, where its examples hold every
 * word of the message. Printed, as they fit best, by `npm run bench:intent -- --fit`.
 */
const SHARES = { ridge: 37.8, classifier: 0.52 };
/** Added to each probability of the classifier, so that it cannot rule an intent out. Chosen by hand. */
const LEAST = 0.001;

/** What is known of a message by its words and by its vector. */
export interface BlendInputs {
  /** By the encoder's ridge model, for each intent. */
  sums: ArrayLike<number>;
  /** Of the classifier; undefined where it knows no word of the message. */
  evidence: Pick<Evidence, "probabilities" | "signals"> | undefined;
}

/**
 * What each of the two shares is multiplied with, for each intent. The classifier has the less to say, the fewer of the message's words it knows:
 * on tuning bots of `npm run bench:realistic` that brings two points.
 */
export function blendTerms({
  sums,
  evidence,
}: BlendInputs): (readonly [ridge: number, classifier: number])[] {
  const known = evidence?.signals.knownWordShare ?? 0;
  return Array.from(sums, (sum, k) => [sum, known * Math.log((evidence?.probabilities[k] ?? 0) + LEAST)]);
}

/** What the classifier and the encoder say together: probabilities, one for each intent, their sum 1. */
export function blendProbabilities(inputs: BlendInputs, { ridge, classifier } = SHARES): Float64Array {
  const odds = blendTerms(inputs).map(([sum, logarithm]) => ridge * sum + classifier * logarithm);
  const greatest = Math.max(...odds);
  const powers = Float64Array.from(odds, (value) => Math.exp(value - greatest));
  const total = powers.reduce((sum, power) => sum + power, 0);
  return powers.map((power) => power / total);
}
