import { GROUP_COUNT, WORD_GROUP } from "../features/features.ts";
import type { SparseVector } from "../features/vectorise.ts";
import type { IntentModel } from "../model/intent-model.ts";
import { contrastOf } from "../scoring/contrast.ts";
import { occursIn } from "../words/occurrence.ts";
import type { SimilarityToExamples } from "../words/word-similarity.ts";
import { chanceOf } from "./logistic.ts";

/** What a classification says about its own trustworthiness. */
export interface Evidence {
  /** Index of the best intent. */
  best: number;
  /** Softmax of the scores; one per intent. */
  probabilities: Float64Array;
  /** Inputs of the two logistic models; see `gatherEvidence`. */
  signals: Float64Array;
}

/** Coefficients of the two logistic models, the constant last. */
export interface Calibration {
  inScope: Float64Array;
  correct: Float64Array;
  /** `inScope` below which a text is best taken to match nothing. */
  matchThreshold: number;
  /** Share of a text's subject that has to occur in the examples, 0–1; see `coverage.ts`. */
  coverageNeeded: number;
}

interface Observation {
  model: IntentModel;
  scores: Float64Array;
  vector: SparseVector;
  tokenCount: number;
  repaired: number;
  /** Of the words to an intent's; all 0 where it is not known what words mean. */
  similarityTo: (intent: number) => SimilarityToExamples;
}

/**
 * Eighteen signals: best probability, margin, best score, log-sum-exp, idf share of known words, of words that the best
 * intent's examples hold, weight of all features that they hold, negative entropy, length, weight of the features
 * that speak against the best intent, lead of another intent in a word, best score without its strongest word, share
 * of unknown words, repaired words, similarity of words to known ones, to the best intent's, and of the least
 * similar word, contrast with what people say to bots in general.
 */
export function gatherEvidence(observation: Observation): Evidence {
  const { model, scores, vector, tokenCount, repaired, similarityTo } = observation;
  const { best, second } = findBest(scores);
  const { probabilities, logSum } = softmax(scores);
  const shares = knownShares(model, vector, best);
  const words = extremeWords(model, vector, best);
  const similarity = similarityTo(best);
  const signals = Float64Array.of(
    second < 0 ? 0 : probabilities[best]!,
    second < 0 ? 0 : (scores[best]! - scores[second]!) / model.typicalScore,
    scores[best]! / model.typicalScore,
    logSum / model.typicalScore,
    shares.words,
    shares.wordsOfBest,
    shares.weightOfBest,
    -entropy(probabilities),
    Math.min(tokenCount - 0.3 * repaired, 12) / 12,
    shares.weightAgainstBest,
    words.rivalLead / model.typicalScore,
    (scores[best]! - words.strongest) / model.typicalScore,
    vector.unknownWords / tokenCount,
    Math.min(repaired, 2) / 2,
    similarity.toKnown,
    similarity.toIntent,
    similarity.weakest,
    contrastOf(model.contrast, vector),
  );
  return { best, probabilities, signals };
}

/** The chances that the text is in scope, and that the best intent is the right one (never more than the former). */
export function estimateChances(
  { signals }: Evidence,
  calibration: Calibration,
): { inScope: number; confidence: number } {
  const inScope = chanceOf(signals, calibration.inScope);
  return { inScope, confidence: Math.min(inScope, chanceOf(signals, calibration.correct)) };
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

function softmax(scores: Float64Array): { probabilities: Float64Array; logSum: number } {
  let greatest = -Infinity;
  for (const score of scores) greatest = Math.max(greatest, score);
  const probabilities = new Float64Array(scores.length);
  let sum = 0;
  for (let k = 0; k < scores.length; k++) sum += probabilities[k] = Math.exp(scores[k]! - greatest);
  for (let k = 0; k < scores.length; k++) probabilities[k]! /= sum;
  return { probabilities, logSum: greatest + Math.log(sum) };
}

function entropy(probabilities: Float64Array): number {
  let sum = 0;
  for (const p of probabilities) if (p > 1e-12) sum -= p * Math.log(p);
  return probabilities.length < 2 ? 0 : sum / Math.log(probabilities.length);
}

/** Words are weighed by idf; a word that was never seen counts like the rarest one. */
function knownShares(model: IntentModel, vector: SparseVector, best: number) {
  const { idf } = model.vocabulary;
  const wordEnd = vector.groupEnds[WORD_GROUP]!;
  const rarest = idf.at(-1) ?? 1;
  let known = 0;
  let knownOfBest = 0;
  let weightOfBest = 0;
  let weightAgainstBest = 0;
  for (let i = 0; i < vector.groupEnds[GROUP_COUNT - 1]!; i++) {
    const row = vector.rows[i]!;
    const isOfBest = occursIn(model.occurrence, row, best, model.intents.length);
    const isAgainstBest = model.weights.cells[row * model.intents.length + best]! < 0;
    const weight = vector.values[i]! ** 2;
    if (isOfBest) weightOfBest += weight;
    if (isAgainstBest) weightAgainstBest += weight;
    if (i >= wordEnd) continue;
    known += idf[row]!;
    if (isOfBest) knownOfBest += idf[row]!;
  }
  const all = known + vector.unknownWords * rarest;
  return { words: known / all, wordsOfBest: knownOfBest / all, weightOfBest, weightAgainstBest };
}

/** What the strongest word adds to the best intent's score, and by how much at most a word scores higher for another intent; 0 or more. */
function extremeWords({ weights, intents }: IntentModel, vector: SparseVector, best: number) {
  let strongest = 0;
  let rivalLead = 0;
  for (let i = 0; i < vector.groupEnds[WORD_GROUP]!; i++) {
    const row = vector.rows[i]!;
    const from = row * intents.length;
    const ofBest = weights.cells[from + best]!;
    let greatest = ofBest;
    for (let k = 0; k < intents.length; k++) {
      const cell = weights.cells[from + k]!;
      if (cell > greatest) greatest = cell;
    }
    const unit = vector.values[i]! * weights.scales[row]!;
    strongest = Math.max(strongest, unit * ofBest);
    rivalLead = Math.max(rivalLead, unit * (greatest - ofBest));
  }
  return { strongest, rivalLead };
}
