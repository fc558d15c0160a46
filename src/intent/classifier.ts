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
import { unpackRidge } from "./encoder/ridge-format.ts";
import type { RidgeModel } from "./encoder/ridge.ts";
import { unpackModel } from "./model/pack-model.ts";
import { ModelClassifier } from "./scoring/model-classifier.ts";

export {
  type EmbeddingIndex,
  fuseEmbedding,
  indexEmbeddings,
  unitVector,
  withConfidences,
} from "./assistance/embedding-fusion.ts";
export { applyJudgement } from "./assistance/judgement.ts";
export { clusterTexts } from "./evaluation/cluster.ts";
export { type EncodedSentence, encodeSentence } from "./encoder/encoded-sentence.ts";
export { EncoderThread } from "./encoder/encoder-thread.ts";
export { splitIntoFolds } from "./evaluation/cross-validate.ts";
export { classifySentence, isUnsure, readSentence } from "./sentences/classify-sentence.ts";
export { MODEL_VERSION } from "./model/model-format.ts";
export { countExamples, type IntentExamples } from "./training/examples.ts";
export { type TimedTrainingResult, TrainingThread } from "./training/training-thread.ts";

/** A classifier that can be told what a sentence encoder says of a message; see `classifySentence`. */
export type IntentClassifier = ModelClassifier;

/** What a bot's examples mean, by a sentence encoder. */
export type SentenceModel = RidgeModel;

/**
 * A classifier on the bytes that training returned. They must not change afterwards.
 * @throws Error when the bytes are no intent model, or one of another version.
 */
export function openIntentModel(bytes: Uint8Array): IntentClassifier {
  return new ModelClassifier(unpackModel(bytes));
}

/**
 * What a bot's examples mean, from the bytes that training returned beside the model. They must not change afterwards.
 * @throws Error when the bytes are no such model.
 */
export function openSentenceModel(bytes: Uint8Array): SentenceModel {
  return unpackRidge(bytes);
}
