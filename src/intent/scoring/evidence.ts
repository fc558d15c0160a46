import type { Signals } from "../calibration/calibration.ts";
import type { IntentModel } from "../model/intent-model.ts";

/** The scores of a text with the signals computed from them. */
export interface Evidence {
  /** Index of the intent with the highest score. */
  best: number;
  /** Softmax of the scores, by intent. */
  probabilities: Float64Array;
  signals: Signals;
  /** Share of the text's content words (0–1) that occur in the examples; 1 if the calibration requires none. */
  coverage: number;
}

/** Shares of a text's words and features, 0–1; see `SIGNALS`. Words are weighted by idf, unknown ones like the rarest. */
export interface FeatureShares {
  knownWords: number;
  wordsOfBest: number;
  /** Share of the squared feature weights that occur in examples of the best intent. */
  weightOfBest: number;
  /** Share of the squared feature weights whose weight for the best intent is negative. */
  weightAgainstBest: number;
}

/** A text that has been scored. */
interface ScoredText {
  model: IntentModel;
  scores: Float64Array;
  /** Shares of its features that occur in the examples of an intent. */
  sharesOf: (intent: number) => FeatureShares;
  tokenCount: number;
  /** Number of corrected words. */
  repaired: number;
}

/** Minimum number of tokens at which further ones do not make scores more reliable. Chosen by hand. */
const FULL_LENGTH = 12;
/** Reduction of the length per corrected word, because the correction may be wrong. Chosen by hand. */
const REPAIR_DISCOUNT = 0.3;
/** Smaller probabilities count as 0 in the entropy, because log 0 is −∞. */
const NEXT_TO_NOTHING = 1e-12;

/** The calibration's input for a scored text, without its coverage. */
export function gatherEvidence(text: ScoredText): Omit<Evidence, "coverage"> {
  const { model, scores, tokenCount, repaired } = text;
  const { typicalScore } = model;
  const { best, second } = findBest(scores);
  const { probabilities, logSum } = softmax(scores);
  const features = text.sharesOf(best);
  const signals: Signals = {
    bestProbability: second < 0 ? 0 : probabilities[best]!,
    margin: second < 0 ? 0 : (scores[best]! - scores[second]!) / typicalScore,
    bestScore: scores[best]! / typicalScore,
    logSumOfScores: logSum / typicalScore,
    knownWordShare: features.knownWords,
    wordShareOfBest: features.wordsOfBest,
    featureWeightOfBest: features.weightOfBest,
    negativeEntropy: -entropy(probabilities),
    length: Math.min(tokenCount - REPAIR_DISCOUNT * repaired, FULL_LENGTH) / FULL_LENGTH,
    featureWeightAgainstBest: features.weightAgainstBest,
  };
  return { best, probabilities, signals };
}

/** Indices of the highest and the second highest score; `second` is −1 where there is one score. */
function findBest(scores: Float64Array): { best: number; second: number } {
  let best = 0;
  let second = -1;
  for (let k = 1; k < scores.length; k++) {
    if (scores[k]! > scores[best]!) {
      second = best;
      best = k;
    } else if (second < 0 || scores[k]! > scores[second]!) second = k;
  }
  return { best, second };
}

function softmax(scores: Float64Array): { probabilities: Float64Array; logSum: number } {
  let greatest = -Infinity;
  for (let k = 0; k < scores.length; k++) if (scores[k]! > greatest) greatest = scores[k]!;
  const probabilities = new Float64Array(scores.length);
  let sum = 0;
  for (let k = 0; k < scores.length; k++) sum += probabilities[k] = Math.exp(scores[k]! - greatest);
  for (let k = 0; k < scores.length; k++) probabilities[k]! /= sum;
  return { probabilities, logSum: greatest + Math.log(sum) };
}

/** Normalised entropy, from 0 (one intent only) to 1 (uniform). */
function entropy(probabilities: Float64Array): number {
  let sum = 0;
  for (let k = 0; k < probabilities.length; k++) {
    const p = probabilities[k]!;
    if (p > NEXT_TO_NOTHING) sum -= p * Math.log(p);
  }
  return probabilities.length < 2 ? 0 : sum / Math.log(probabilities.length);
}
