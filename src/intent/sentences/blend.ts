import type { Evidence } from "../scoring/evidence.ts";

/**
 * Weight of a kernel sum in an intent's log odds, reduced by the natural logarithm of the texts per intent, because with more texts their
 * words say more; and the weight of the classifier's log probability if its examples contain every word of the message. Fitted values are
 * printed by `npm run bench:intent -- --fit`.
 */
const SHARES = { ridge: 61.2, lessPerLnTexts: 16.2, classifier: 0.41 };
/** Minimum weight of the encoder for intents with dozens of texts, beyond the bots used for fitting. Chosen by hand. */
const MIN_RIDGE_SHARE = 5;
/** Added to each probability of the classifier, so that it cannot exclude an intent. Chosen by hand. */
const LEAST = 0.001;

export type BlendShares = typeof SHARES;

/** A message's scores by words and its vector. */
export interface BlendInputs {
  /** From the encoder's ridge model, by intent. */
  sums: ArrayLike<number>;
  textsPerIntent: number;
  /** From the classifier; undefined if it knows no word of the message. */
  evidence: Pick<Evidence, "probabilities" | "signals"> | undefined;
}

/** Blended probabilities of classifier and encoder, by intent; they sum to 1. */
export function blendProbabilities(inputs: BlendInputs, shares = SHARES): Float64Array {
  const ridge = Math.max(
    MIN_RIDGE_SHARE,
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
 * Term of the classifier for each intent. It shrinks with the share of unknown words, which gains two points on the tuning bots of `npm run
 * bench:realistic`.
 */
export function classifierTerms({ sums, evidence }: BlendInputs): number[] {
  const known = evidence?.signals.knownWordShare ?? 0;
  return Array.from(sums, (_, k) => known * Math.log((evidence?.probabilities[k] ?? 0) + LEAST));
}
