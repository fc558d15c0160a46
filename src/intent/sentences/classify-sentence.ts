import type { Classification } from "../../domain/decision.ts";
import type { EncodedSentence } from "../encoder/encoded-sentence.ts";
import { type RidgeModel, scoreByRidge } from "../encoder/ridge.ts";
import type { ModelClassifier, WeighedText } from "../scoring/model-classifier.ts";
import { rankIntents } from "../scoring/rank-intents.ts";
import { shareChances } from "../scoring/share-chances.ts";
import { blendProbabilities } from "./blend.ts";
import { estimateSentenceChances } from "./sentence-calibration.ts";
import { type SentenceFindings, sentenceSignals } from "./sentence-signals.ts";
import { asSentence, MOST_CHARACTERS } from "./sentence-text.ts";

/**
 * From this confidence on, a message is not encoded. On eleven data sets accuracy is the same as where each message is (0.846), and half
 * of the messages in scope are spared; higher bounds tell near-domain questions of tuning bots apart no better.
 */
const SURE = 0.9;

/** Whether a message is worth encoding, as the classifier alone is not sure of it. */
export function isUnsure({ confidence }: Pick<Classification, "confidence">): boolean {
  return confidence < SURE;
}

/** What of a message is to be encoded: its words, repaired, in English. Undefined where the bot's language is not known. */
export function readSentence(classifier: ModelClassifier, text: string): string | undefined {
  const { language } = classifier;
  return language && asSentence(classifier.repairedText(text.slice(0, MOST_CHARACTERS)), language);
}

/**
 * Classifies a message anew with what the encoder says of it.
 * @param weighed what the classifier says of it: `ModelClassifier.judge`.
 */
export function classifySentence(
  { intents }: Pick<ModelClassifier, "intents">,
  weighed: WeighedText,
  sentence: EncodedSentence,
  sentences: RidgeModel,
): Classification {
  const found = weighSentence(weighed, sentence, sentences);
  const { best } = found;
  const chances = estimateSentenceChances(sentenceSignals(found));
  const confidences = shareChances(found.blend, best, chances);
  return { scores: rankIntents(confidences, intents, best), confidences, ...chances };
}

/** What the classifier and the encoder's ridge model say of a message, side by side. */
export function weighSentence(
  { evidence, chances }: WeighedText,
  { vector, requestCosine }: EncodedSentence,
  sentences: RidgeModel,
): SentenceFindings {
  const ridge = scoreByRidge(sentences, vector);
  const examplesPerIntent = sentences.intents.length / sentences.intentCount;
  const blend = blendProbabilities(ridge.probabilities, evidence?.probabilities, examplesPerIntent);
  const best = blend.indexOf(Math.max(...blend));
  return { signals: evidence?.signals, chances, ridge, blend, best, requestCosine, examplesPerIntent };
}
