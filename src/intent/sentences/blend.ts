import type { Evidence } from "../scoring/evidence.ts";

/**
 * What a sum of kernels adds to the log odds of an intent, less with the natural logarithm of the texts per intent: the more there are, the more
 * their words say by themselves. And what the logarithm of a probability by the classifier adds, where its examples hold every word of the
 * message. Printed, as they fit best, by `npm run bench:intent -- --fit`.
 */
const SHARES = { ridge: 61.2, lessPerLnTexts: 16.2, classifier: 0.41 };
/** With dozens of texts per intent the encoder still has a say. Beyond what most bots the shares are fitted on have; chosen by hand. */
const LEAST_RIDGE_SHARE = 5;
/** Added to each probability of the classifier, so that it cannot rule an intent out. Chosen by hand. */
const LEAST = 0.001;

export type BlendShares = typeof SHARES;

/** What is known of a message by its words and by its vector. */
export interface BlendInputs {
  /** By the encoder's ridge model, for each intent. */
  sums: ArrayLike<number>;
  textsPerIntent: number;
  /** Of the classifier; undefined where it knows no word of the message. */
  evidence: Pick<Evidence, "probabilities" | "signals"> | undefined;
}

/** What the classifier and the encoder say together: probabilities, one for each intent, their sum 1. */
export function blendProbabilities(inputs: BlendInputs, shares = SHARES): Float64Array {
  const ridge = Math.max(
    LEAST_RIDGE_SHARE,
    shares.ridge - shares.lessPerLnTexts * Math.log(inputs.textsPerIntent),
  );
  const logarithms = classifierTerms(inputs);
  const odds = Array.from(inputs.sums, (sum, k) => ridge * sum + shares.classifier * logarithms[k]!);
  const greatest = Math.max(...odds);
  const powers = Float64Array.from(odds, (value) => Math.exp(value - greatest));
  const total = powers.reduce((sum, power) => sum + power, 0);
  return powers.map((power) => power / total);
}

/**
 * What the classifier's share is multiplied with, for each intent. It has the less to say, the fewer of the message's words it knows: on the tuning
 * bots of `npm run bench:realistic` that brings two points.
 */
export function classifierTerms({ sums, evidence }: BlendInputs): number[] {
  const known = evidence?.signals.knownWordShare ?? 0;
  return Array.from(sums, (_, k) => known * Math.log((evidence?.probabilities[k] ?? 0) + LEAST));
}
