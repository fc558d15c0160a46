import type { Vocabulary } from "../features/vocabulary.ts";
import type { LabelledTexts } from "./examples.ts";
import { readTexts } from "./read-texts.ts";
import type { TrainingSet } from "./training-set.ts";

/**
 * Weights of a model; each is a byte when stored, four in training. Beyond the lower bound features of a single example are left out,
 * which are the most and say least; beyond the upper one others too. CLINC150's 15,000 examples of 150 intents make a model of 11 MB.
 */
const MOST_WEIGHTS = 32_000_000;
const COMFORTABLE_WEIGHTS = 8_000_000;

/** Examples as training needs them. */
export interface PreparedTexts {
  texts: readonly string[];
  vocabulary: Vocabulary;
  set: TrainingSet;
}

export function prepareTexts({ texts, labels, classCount }: LabelledTexts): PreparedTexts {
  const limits = {
    comfortable: Math.floor(COMFORTABLE_WEIGHTS / Math.max(1, classCount)),
    most: Math.floor(MOST_WEIGHTS / Math.max(1, classCount)),
  };
  const { vocabulary, ...read } = readTexts(texts, limits);
  return { texts, vocabulary, set: { ...read, labels, classCount, featureCount: vocabulary.idf.length } };
}
