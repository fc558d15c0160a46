import type { RidgeScores } from "../encoder/ridge.ts";

/**
 * Signals from which the probabilities of an encoded message are estimated. All describe the judged intent, the one with the highest blended
 * probability, or of the message or the bot as a whole.
 */
export const SENTENCE_SIGNALS = [
  /** Log odds of the intent in the blend. */
  "blend",
  /** Cosine to the nearest text of the intent. */
  "cosine",
  /** The intent's sum of kernels by the ridge model. */
  "ridgeSum",
  /** Words and signs of the message, from 0 (four or fewer) to 1 (24 or more): the longer it is, the less is it like any one text. */
  "length",
  /** Natural logarithms: of the number of intents, and of the encoded texts per intent. */
  "lnIntents",
  "lnTexts",
] as const;

export type SentenceSignal = (typeof SENTENCE_SIGNALS)[number];
export type SentenceSignals = Record<SentenceSignal, number>;

/** The facts about an encoded message. */
export interface SentenceFindings {
  /** Words and signs of the message. */
  tokenCount: number;
  ridge: RidgeScores;
  blend: Float64Array;
  /** The best intent in the blend. */
  best: number;
  /** Encoded texts per intent. */
  textsPerIntent: number;
}

/** Probabilities are limited to this distance from 0 and 1, because log odds are unbounded. Chosen by hand. */
const LEAST_DOUBT = 0.001;
/**
 * Words and signs between which length counts. On bots that the encoder has not seen, messages in scope are longer than others, so that a
 * length that counts from the first word on would speak against short messages; chosen on the tuning bots of `npm run bench:realistic`.
 */
const [SHORT, LONG] = [4, 24];

export function sentenceSignals({
  tokenCount,
  ridge,
  blend,
  best,
  textsPerIntent,
}: SentenceFindings): SentenceSignals {
  return {
    blend: logOdds(blend[best]!),
    cosine: ridge.cosines[best]!,
    ridgeSum: ridge.sums[best]!,
    length: Math.min(Math.max(tokenCount - SHORT, 0) / (LONG - SHORT), 1),
    lnIntents: Math.log(blend.length),
    lnTexts: Math.log(textsPerIntent),
  };
}

function logOdds(probability: number): number {
  const bounded = Math.min(1 - LEAST_DOUBT, Math.max(LEAST_DOUBT, probability));
  return Math.log(bounded / (1 - bounded));
}
