import type { Classification } from "../../domain/decision.ts";
import { type RidgeModel, scoreByRidge } from "../encoder/ridge.ts";
import type { ModelClassifier, WeighedText } from "../scoring/model-classifier.ts";
import { rankIntents } from "../scoring/rank-intents.ts";
import { shareChances } from "../scoring/share-chances.ts";
import { blendProbabilities } from "./blend.ts";
import { estimateSentenceChances } from "./sentence-calibration.ts";
import { type SentenceFindings, sentenceSignals } from "./sentence-signals.ts";

/**
 * Confidence from which on a message is not encoded. On eleven data sets the accuracy (0.846) is the same as with every message encoded,
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
