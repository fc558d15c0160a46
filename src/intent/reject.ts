import { WORD_GROUP } from "./features.ts";
import type { IntentModel } from "./intent-model.ts";
import { chanceOf } from "./logistic.ts";
import type { SparseVector } from "./vectorise.ts";

/** What a classification says about its own trustworthiness. */
export interface Evidence {
  /** Index of the best intent. */
  best: number;
  /** Softmax of the scores; one per intent. */
  probabilities: Float64Array;
  /** Inputs of the two logistic models; see `gatherEvidence`. */
  signals: Float64Array;
}

export const SIGNAL_COUNT = 9;

/** Coefficients of the two logistic models, the constant last. */
export interface Calibration {
  /** Factor on the scores before the softmax. */
  sharpness: number;
  inScope: Float64Array;
  correct: Float64Array;
}

/** Used for bots too small for a calibration of their own; fitted over many data sets, see test/bench/intent. */
export const DEFAULT_CALIBRATION: Calibration = {
  sharpness: 1,
  inScope: Float64Array.of(0.35, 0.8, 1.2, 0, 1.5, 1.5, 2, -0.5, 0, -4.6),
  correct: Float64Array.of(0.6, 0.8, 1.2, 0, 1, 1, 1.5, 0, 0, -4.6),
};

interface Observation {
  model: IntentModel;
  scores: Float64Array;
  vector: SparseVector;
  tokenCount: number;
  repaired: number;
}

/**
 * Nine signals: log odds of the best probability, margin, best score, log-sum-exp, idf share of known words, of words that
 * the best intent's examples hold, weight of all features that they hold, negative entropy, length.
 */
export function gatherEvidence(observation: Observation): Evidence {
  const { model, scores, vector, tokenCount, repaired } = observation;
  const { best, second } = findBest(scores);
  const { probabilities, logSum } = softmax(scores, model.calibration.sharpness);
  const top = Math.min(probabilities[best]!, 1 - 1e-6);
  const shares = knownShares(model, vector, best, tokenCount);
  const signals = Float64Array.of(
    Math.log(top / (1 - top)) / 4,
    second < 0 ? 1 : scores[best]! - scores[second]!,
    scores[best]!,
    logSum / model.calibration.sharpness,
    shares.words,
    shares.wordsOfBest,
    shares.weightOfBest,
    -entropy(probabilities),
    Math.min(tokenCount - 0.3 * repaired, 12) / 12,
  );
  return { best, probabilities, signals };
}

/** The chances that the text is in scope, and that the best intent is the right one (never more than the former). */
export function estimateChances(
  { signals }: Evidence,
  { inScope, correct }: Calibration,
): { pIn: number; pOk: number } {
  const pIn = chanceOf(signals, inScope);
  return { pIn, pOk: Math.min(pIn, chanceOf(signals, correct)) };
}

function findBest(scores: Float64Array): { best: number; second: number } {
  let best = 0;
  let second = -1;
  for (let k = 1; k < scores.length; k++) {
    if (scores[k]! > scores[best]!) [best, second] = [k, best];
    else if (second < 0 || scores[k]! > scores[second]!) second = k;
  }
  return { best, second };
}

function softmax(scores: Float64Array, sharpness: number): { probabilities: Float64Array; logSum: number } {
  let greatest = -Infinity;
  for (const score of scores) greatest = Math.max(greatest, score);
  const probabilities = new Float64Array(scores.length);
  let sum = 0;
  for (let k = 0; k < scores.length; k++)
    sum += probabilities[k] = Math.exp(sharpness * (scores[k]! - greatest));
  for (let k = 0; k < scores.length; k++) probabilities[k]! /= sum;
  return { probabilities, logSum: sharpness * greatest + Math.log(sum) };
}

function entropy(probabilities: Float64Array): number {
  let sum = 0;
  for (const p of probabilities) if (p > 1e-12) sum -= p * Math.log(p);
  return probabilities.length < 2 ? 0 : sum / Math.log(probabilities.length);
}

/** Words are weighed by idf; a word that was never seen counts like the rarest one. */
function knownShares(model: IntentModel, vector: SparseVector, best: number, tokenCount: number) {
  const { idf } = model.vocabulary;
  const wordEnd = vector.groupEnds[WORD_GROUP]!;
  const rarest = idf.at(-1) ?? 1;
  let known = 0;
  let knownOfBest = 0;
  let weightOfBest = 0;
  for (let i = 0; i < vector.length; i++) {
    const row = vector.rows[i]!;
    const bit = row * model.intents.length + best;
    const isOfBest = ((model.occurrence[bit >> 3]! >> (bit & 7)) & 1) === 1;
    if (i < wordEnd) known += idf[row]!;
    if (i < wordEnd && isOfBest) knownOfBest += idf[row]!;
    if (isOfBest) weightOfBest += vector.values[i]! ** 2;
  }
  const all = known + Math.max(0, tokenCount - wordEnd) * rarest;
  return { words: known / all, wordsOfBest: knownOfBest / all, weightOfBest };
}
