/**
 * The embedded intent engine, and the only door to it. A classifier is trained on a bot's examples, stored as bytes, and opened:
 *
 *     using thread = new TrainingThread();
 *     const { model } = await thread.train(bot.intents);       // seconds at most, on a thread of its own
 *     const classifier = openIntentModel(model);               // microseconds; the first of a known language: milliseconds
 *     const { scores, confidences, inScope, confidence } = classifier.classify("where is my order");
 *
 * `README.md` beside this file says what is behind it.
 */
import { nearnessByIntent, type RidgeModel, unpackRidge } from "./encoder/ridge.ts";
import { unpackModel } from "./model/pack-model.ts";
import { explainScores, type ScoreExplanation } from "./scoring/explain-scores.ts";
import { ModelClassifier, type WeighedText } from "./scoring/model-classifier.ts";
import { findNearestExample, type LabelledExample, type NearestExample } from "./scoring/nearest-example.ts";

export {
  applyJudgement,
  type EmbeddingIndex,
  fuseEmbedding,
  indexEmbeddings,
  unitVector,
  withConfidences,
} from "./assistance/embedding-fusion.ts";
export { clusterTexts, comparableText, type TextCluster } from "./evaluation/cluster.ts";
export { ClusterThread } from "./evaluation/cluster-thread.ts";
export type { EncoderInput } from "./encoder/encoder.ts";
export { EncoderBusyError, EncoderThread, isEncoderOn, setEncoder } from "./encoder/encoder-thread.ts";
export { dotOfRow, type QuantisedRows, quantiseVectors } from "./encoder/quantised-rows.ts";
export { packTextVectors, roundVector, TextVectors } from "./encoder/text-vectors.ts";
export { ENCODER_VERSION } from "./encoder/text-vectors.ts";
export { splitIntoFolds } from "./evaluation/cross-validate.ts";
export { nearnessByIntent };
export { classifySentence, isUnsure } from "./sentences/classify-sentence.ts";
export { MODEL_VERSION } from "./model/model-format.ts";
export type { WordPull } from "./scoring/explain-scores.ts";
export type { WeighedText };
export type { LabelledExample, NearestExample } from "./scoring/nearest-example.ts";
export { collectTexts, countExamples, type IntentExamples } from "./training/examples.ts";
export { withKeptVectors } from "./training/encode-texts.ts";
export { textsToEncode } from "./training/fit-sentences.ts";
export { type TimedTrainingResult, TrainingThread } from "./training/training-thread.ts";

/** A classifier that accepts the encoder's vector of a message; see `classifySentence`. */
export type IntentClassifier = ModelClassifier;

/** The encoder's model of a bot's examples. */
export type SentenceModel = RidgeModel;

/**
 * Opens a model from the bytes that training returned. The bytes must not change afterwards. @throws Error if they are no intent model, or
 * one of another version.
 */
export function openIntentModel(bytes: Uint8Array): IntentClassifier {
  return new ModelClassifier(unpackModel(bytes), bytes);
}

/**
 * Opens the encoder's model from the bytes that training returned beside the intent model. The bytes must not change afterwards. @returns
 * undefined if they are empty, because there was nothing to encode. @throws Error if they are no such model, or one of another version.
 */
export function openSentenceModel(bytes: Uint8Array): SentenceModel | undefined {
  return bytes.length === 0 ? undefined : unpackRidge(bytes);
}

/** Why the text has its score for an intent, compared with a second one, and its most similar example. For operators. */
export interface TextExplanation extends ScoreExplanation {
  nearest: NearestExample | undefined;
}

/**
 * Explains the result of a model for a text. @param intent whose score is explained; absent: none. @param rival the intent to compare with;
 * absent: none. @param examples the model's training examples.
 */
export function explainText(
  bytes: Uint8Array,
  text: string,
  { intent, rival, examples }: { intent?: string; rival?: string; examples: readonly LabelledExample[] },
): TextExplanation {
  const model = unpackModel(bytes);
  const indexOf = (name: string | undefined) => {
    const index = model.intents.findIndex((known) => known === name);
    return index < 0 ? undefined : index;
  };
  return {
    ...explainScores(model, text, indexOf(intent), indexOf(rival)),
    nearest: findNearestExample(model, text, examples),
  };
}
