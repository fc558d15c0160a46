import type { Classification } from "../../domain/decision.ts";
import { type RidgeModel, scoreByRidge } from "../encoder/ridge.ts";
import type { ModelClassifier, WeighedText } from "../scoring/model-classifier.ts";
import { rankIntents } from "../scoring/rank-intents.ts";
import { shareChances } from "../scoring/share-chances.ts";
import { blendProbabilities } from "./blend.ts";
import { estimateSentenceChances } from "./sentence-calibration.ts";
import { type SentenceFindings, sentenceSignals } from "./sentence-signals.ts";

/**
 * From this confidence on, a message is not encoded. On eleven data sets accuracy is the same as where each message is (0.846), and half
 * of the messages in scope are spared; higher bounds tell near-domain questions of tuning bots apart no better.
 */
const SURE = 0.9;

/** Whether a message is worth encoding, as the classifier alone is not sure of it. */
export function isUnsure({ confidence }: Pick<Classification, "confidence">): boolean {
  return confidence < SURE;
}

/**
 * Classifies a message anew with what the encoder says of it.
 * @param weighed what the classifier says of it: `ModelClassifier.judge`.
 * @param vector what the encoder makes of it.
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

/** What the classifier and the encoder's ridge model say of a message, side by side. */
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
