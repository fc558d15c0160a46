import { type Classification } from "../../domain/decision.ts";
import { chanceOf, type Chances, signalVector } from "../calibration/calibration.ts";
import { type RidgeModel, scoreByRidge, type RidgeScores } from "../encoder/ridge.ts";
import { type ModelClassifier, type WeighedText } from "../scoring/model-classifier.ts";
import { rankIntents, shareChances } from "../scoring/rank-intents.ts";
import { blendProbabilities } from "./blend.ts";

/**
 * Signals from which the probabilities of an encoded message are estimated. All describe the judged intent, the one with the highest
 * blended probability, or of the message or the bot as a whole.
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
const MIN_DOUBT = 0.001;
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
  const bounded = Math.min(1 - MIN_DOUBT, Math.max(MIN_DOUBT, probability));
  return Math.log(bounded / (1 - bounded));
}

/**
 * Minimum confidence at which a message is not encoded. On eleven data sets the accuracy (0.846) is the same as with every message encoded,
 * and half of the in-scope messages are saved; higher values do not separate near-domain questions of tuning bots better.
 */
const SURE = 0.9;

/** Whether a message should be encoded, because the classifier alone is not certain. */
export function isUnsure({ confidence }: Pick<Classification, "confidence">): boolean {
  return confidence < SURE;
}

/**
 * Classifies a message again with the encoder's vector. @param weighed the classifier's result from `ModelClassifier.judge`. @param vector
 * the message's vector.
 */
export function classifySentence(
  { intents }: Pick<ModelClassifier, "intents">,
  weighed: WeighedText,
  vector: Float32Array,
  sentences: RidgeModel,
): Classification {
  const found = weighSentence(weighed, vector, sentences);
  const { best } = found;
  const chances = estimateSentenceChances(sentenceSignals(found));
  const confidences = shareChances(found.blend, best, chances);
  return { scores: rankIntents(confidences, intents, best), confidences, ...chances };
}

/** The results of the classifier and of the encoder's ridge model for a message. */
export function weighSentence(
  { evidence, tokenCount }: WeighedText,
  vector: Float32Array,
  sentences: RidgeModel,
): SentenceFindings {
  const ridge = scoreByRidge(sentences, vector);
  const textsPerIntent = sentences.intents.length / sentences.intentCount;
  const blend = blendProbabilities({ sums: ridge.sums, textsPerIntent, evidence });
  const best = blend.indexOf(Math.max(...blend));
  return { tokenCount, ridge, blend, best, textsPerIntent };
}

/**
 * Weights of the signals and biases: for the log odds of being in scope, and of the best intent in the blend being correct.
 * Printed by `npm run bench:intent -- --fit`, which says how they are fitted.
 */
const COEFFICIENTS: Readonly<
  Record<SentenceSignal | "constant", readonly [inScope: number, correct: number]>
> = {
  blend: [-0.11, 0.51],
  cosine: [5.71, 3.17],
  ridgeSum: [15.25, 0.28],
  length: [2.35, 0.93],
  lnIntents: [-0.3, -0.13],
  lnTexts: [-0.74, -0.17],
  constant: [-2.34, -1.89],
};

const [IN_SCOPE, CORRECT] = [columnOf(0), columnOf(1)];

/** The chances of a message that was encoded. */
function estimateSentenceChances(signals: SentenceSignals): Chances {
  const inputs = signalVector(SENTENCE_SIGNALS, signals);
  const inScope = chanceOf(inputs, IN_SCOPE);
  return { inScope, confidence: Math.min(inScope, chanceOf(inputs, CORRECT)) };
}

function columnOf(column: 0 | 1): Float64Array {
  return Float64Array.from([...SENTENCE_SIGNALS, "constant"] as const, (name) => COEFFICIENTS[name][column]);
}
