import type { IntentName } from "../../domain/ids.ts";
import { normaliseText } from "../../text/normalise.ts";
import { TokenBuffer } from "../../text/tokenise.ts";
import { defaultCalibration } from "../calibration/default-calibration.ts";
import type { Calibration } from "../calibration/reject.ts";
import type { IntentModel } from "../model/intent-model.ts";
import { quantiseRows } from "../model/quantise.ts";
import { type ExampleIndex, indexExamples } from "../scoring/example-index.ts";
import { markOccurrence } from "../words/occurrence.ts";
import { buildLexicon } from "../words/spelling.ts";
import type { WordKnowledge } from "../words/word-knowledge.ts";
import { MEANING_DIMENSIONS } from "../words/word-meanings.ts";
import { fitContrast } from "./fit-contrast.ts";
import type { LabelledTexts } from "./held-out.ts";
import { trainLowRank } from "./low-rank.ts";
import { seededRandom } from "./random.ts";
import { trainSvm } from "./svm.ts";
import { type LinearModel, readTexts, type TrainingSet, type Vocabulary } from "./training-set.ts";

/** Bounds the weights, and so the model: a byte per feature and intent. */
const MOST_CELLS = 32_000_000;
const COMFORTABLE_CELLS = 8_000_000;
const FEW_EXAMPLES = 2000;
const MOST_MEASURED = 1000;
const SVM_EPOCHS = { few: 15, many: 8 };
/** `models`: how many are averaged. Where examples are few, chance weighs more: three gain half a point at 5 and at 10 per intent. */
const LOW_RANK = {
  few: { dimensions: 192, epochs: 15, models: 3 },
  many: { dimensions: 128, epochs: 6, models: 1 },
};

/** Called now and then with the share of the work that is done, 0–1. */
export type Report = (done: number) => void;

/** Examples as training needs them. */
export interface PreparedTexts {
  texts: readonly string[];
  vocabulary: Vocabulary;
  knowledge: WordKnowledge;
  set: TrainingSet;
  examples: ExampleIndex;
}

export function prepareTexts(
  { texts, labels, classCount }: LabelledTexts,
  knowledge: WordKnowledge,
): PreparedTexts {
  const meanings = knowledge.isWeighed ? knowledge.meanings : undefined;
  const limits = {
    comfortable: Math.floor(COMFORTABLE_CELLS / Math.max(1, classCount)),
    most: Math.floor(MOST_CELLS / Math.max(1, classCount)),
  };
  const { vocabulary, ...read } = readTexts(texts, limits, meanings);
  const featureCount = vocabulary.idf.length + (meanings ? MEANING_DIMENSIONS : 0);
  const set = { ...read, labels, classCount, featureCount };
  return { texts, vocabulary, knowledge, set, examples: indexExamples(texts) };
}

/** The first part of the blended model; ready in a quarter of the time, and nearly as good where examples are many. */
export function fitSvm({ set, texts }: PreparedTexts, seed: number, report: Report): LinearModel {
  return trainSvm(set, SVM_EPOCHS[amountOf(texts)], seededRandom(seed), report);
}

/** Adds the low-rank part to the SVM, which it overwrites. */
export function fitBlend(
  { set, texts }: PreparedTexts,
  svm: LinearModel,
  seed: number,
  report: Report,
): LinearModel {
  const { models, ...options } = LOW_RANK[amountOf(texts)];
  const random = seededRandom(seed + 1);
  scaleLinear(svm, svmShare(texts.length / Math.max(1, set.classCount)));
  for (let model = 0; model < models; model++) {
    const soft = trainLowRank(set, options, random, (done) => report((model + done) / models));
    addLinear(svm, soft, 1 / models);
  }
  return svm;
}

function scaleLinear({ weights: { cells }, bias }: LinearModel, factor: number): void {
  for (let i = 0; i < cells.length; i++) cells[i]! *= factor;
  for (let k = 0; k < bias.length; k++) bias[k]! *= factor;
}

function addLinear({ weights: { cells }, bias }: LinearModel, added: LinearModel, share: number): void {
  for (let i = 0; i < cells.length; i++) cells[i]! += share * added.weights.cells[i]!;
  for (let k = 0; k < bias.length; k++) bias[k]! += share * added.bias[k]!;
}

/**
 * A whole model on these texts, with the default calibration and numbers for names.
 * @param requests what people say to bots in general; none where that is not known.
 */
export function fitModel(
  texts: LabelledTexts,
  knowledge: WordKnowledge,
  requests: readonly string[],
  seed: number,
  report: Report,
): IntentModel {
  const prepared = prepareTexts(texts, knowledge);
  const blend = fitBlend(prepared, fitSvm(prepared, seed, report), seed, report);
  const names = Array.from({ length: texts.classCount }, (_, k) => String(k) as IntentName);
  const calibration = defaultCalibration(texts.classCount, texts.texts.length, knowledge);
  const model = assembleModel(names, prepared, blend, calibration);
  return { ...model, contrast: fitContrast(prepared, requests) };
}

/** Without a contrast. */
export function assembleModel(
  intents: readonly IntentName[],
  { texts, vocabulary, knowledge, set, examples }: PreparedTexts,
  linear: LinearModel,
  calibration: Calibration,
): IntentModel {
  const { weights, bias } = linear;
  return {
    intents,
    vocabulary,
    knowledge,
    lexicon: buildLexicon(countWords(texts)),
    weights: quantiseRows(weights, Math.max(1, set.classCount)),
    bias,
    occurrence: markOccurrence(set),
    examples,
    typicalScore: typicalScore(set, linear),
    contrast: undefined,
    calibration,
  };
}

/** The same model with all scores `factor` times as high. */
export function scaleScores(model: IntentModel, factor: number): IntentModel {
  return {
    ...model,
    weights: { cells: model.weights.cells, scales: model.weights.scales.map((scale) => factor * scale) },
    bias: model.bias.map((value) => factor * value),
    typicalScore: factor * model.typicalScore,
  };
}

function amountOf(texts: readonly string[]): "few" | "many" {
  return texts.length < FEW_EXAMPLES ? "few" : "many";
}

/** Few examples: the low-rank model knows better; many: the SVM does. Measured from 5 to 100 per intent. */
function svmShare(examplesPerIntent: number): number {
  return Math.min(4, Math.max(1, examplesPerIntent / 12));
}

function countWords(texts: readonly string[]): Map<string, number> {
  const frequency = new Map<string, number>();
  const tokens = new TokenBuffer();
  for (const text of texts) {
    const normalised = normaliseText(text);
    tokens.read(normalised);
    const words = new Set<string>();
    for (let t = 0; t < tokens.count; t++) words.add(normalised.slice(tokens.starts[t], tokens.ends[t]));
    for (const word of words) frequency.set(word, (frequency.get(word) ?? 0) + 1);
  }
  return frequency;
}

/** What the right intent scores on average for some of the examples; the yardstick of other scores. */
function typicalScore({ vectors, labels }: TrainingSet, { weights, bias }: LinearModel): number {
  const step = Math.max(1, Math.floor(labels.length / MOST_MEASURED));
  let sum = 0;
  let count = 0;
  for (let example = 0; example < labels.length; example += step) {
    const label = labels[example]!;
    sum += bias[label]!;
    for (let i = vectors.offsets[example]!; i < vectors.offsets[example + 1]!; i++) {
      sum += vectors.values[i]! * weights.cells[vectors.rows[i]! * weights.columns + label]!;
    }
    count++;
  }
  return count > 0 && sum > 0 ? sum / count : 1;
}
