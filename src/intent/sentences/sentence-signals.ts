import type { Chances } from "../calibration/calibration.ts";
import { SIGNALS, type Signals } from "../calibration/signals.ts";
import type { RidgeScores } from "../encoder/ridge.ts";

/**
 * What the chances of an encoded message are estimated from: the classifier's own signals, which are 0 where it knows no word of the
 * message, and what the encoder adds. "Best" is here the intent with the highest blended probability; cosines are those of the message to
 * examples.
 */
export const SENTENCE_SIGNALS = [
  ...SIGNALS,
  /** Log odds of the best intent in the blend. */
  "blendOfBest",
  /** Log odds of the classifier's own chances. */
  "inScope",
  "confidence",
  /** To the best intent's nearest example. */
  "cosineToBest",
  /** To the nearest example of any intent. */
  "greatestCosine",
  /** Natural logarithms: of the number of intents, and of the encoded examples per intent. */
  "lnIntents",
  "lnExamples",
] as const;

export type SentenceSignal = (typeof SENTENCE_SIGNALS)[number];
export type SentenceSignals = Record<SentenceSignal, number>;

/** What was found out about an encoded message. */
export interface SentenceFindings {
  /** Undefined where the classifier knows no word of it. */
  signals: Signals | undefined;
  chances: Chances;
  ridge: RidgeScores;
  blend: Float64Array;
  /** The best intent in the blend. */
  best: number;
  /** Those that were encoded. */
  examplesPerIntent: number;
}

/** Chances are taken to be at least so far from 0 and 1, as log odds have no bounds. Chosen by hand. */
const LEAST_DOUBT = 0.001;
const NO_SIGNALS = Object.fromEntries(SIGNALS.map((signal) => [signal, 0])) as Signals;

export function sentenceSignals(found: SentenceFindings): SentenceSignals {
  const { signals = NO_SIGNALS, chances, ridge, blend, best } = found;
  return {
    ...signals,
    blendOfBest: logOdds(blend[best]!),
    inScope: logOdds(chances.inScope),
    confidence: logOdds(chances.confidence),
    cosineToBest: ridge.cosines[best]!,
    greatestCosine: Math.max(...ridge.cosines),
    lnIntents: Math.log(blend.length),
    lnExamples: Math.log(found.examplesPerIntent),
  };
}

function logOdds(chance: number): number {
  const bounded = Math.min(1 - LEAST_DOUBT, Math.max(LEAST_DOUBT, chance));
  return Math.log(bounded / (1 - bounded));
}
