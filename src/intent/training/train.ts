import type { IntentName } from "../../domain/ids.ts";
import { normaliseText } from "../../text/normalise.ts";
import { TokenBuffer } from "../../text/tokenise.ts";
import { calibrationFor } from "../calibration/calibration-for.ts";
import { indexExamples } from "../model/example-index.ts";
import { type IntentModel, markOccurrence } from "../model/intent-model.ts";
import { packModel } from "../model/pack-model.ts";
import { quantiseRows } from "../model/quantise.ts";
import { buildLexicon } from "../words/lexicon.ts";
import { collectTexts, type IntentExamples } from "./examples.ts";
import { fitSentences, type VectorOf } from "./fit-sentences.ts";
import { trainLowRank } from "./low-rank.ts";
import { seededRandom } from "./random.ts";
import { type PreparedTexts, prepareTexts } from "./read-texts.ts";
import { trainSvm } from "./svm.ts";
import { type LinearModel, type Report, sizeOf, type TrainingSet } from "./training-set.ts";

interface TrainingOptions {
  /** Seed of the pseudo-random numbers. Default 1. */
  seed?: number;
  /** Sentence vectors of `textsToEncode`; absent: no encoder. */
  vectorOf?: VectorOf;
  report?: Report;
}

export interface TrainingResult {
  /** Bytes for `openIntentModel`. */
  model: Uint8Array;
  /** Bytes for `openSentenceModel`: empty without texts to encode, absent if none was encoded. */
  sentences?: Uint8Array;
}

/**
 * Trains a classifier on each intent's examples, name, label and description. A pure function: the same arguments give the same bytes.
 * Takes seconds; run it on a thread, see `TrainingThread`.
 */
export function trainIntentModel(
  intents: readonly IntentExamples[],
  { seed = 1, vectorOf, report = () => undefined }: TrainingOptions = {},
): TrainingResult {
  const all = collectTexts(intents);
  const prepared = prepareTexts(all);
  const linear = fitLinear(prepared.set, seed, report);
  const names = intents.map(({ name }) => name as IntentName);
  const model = packModel(assembleModel(names, prepared, linear));
  const sentences = vectorOf && fitSentences(intents, vectorOf);
  report(1);
  return { model, ...(sentences && { sentences }) };
}

/** Maximum number of examples, evenly spread, from which the mean score is computed. More hardly change it. */
const MAX_MEASURED = 1000;

/** Assembles a model from a bot's examples and the linear model fitted to them. */
export function assembleModel(
  intents: readonly IntentName[],
  { texts, vocabulary, set }: PreparedTexts,
  linear: LinearModel,
): IntentModel {
  return {
    intents,
    vocabulary,
    lexicon: buildLexicon(documentFrequencies(texts)),
    weights: quantiseRows(linear.weights, Math.max(1, set.classCount)),
    bias: linear.bias,
    occurrence: markOccurrence(set),
    examples: indexExamples(texts),
    typicalScore: typicalScore(set, linear),
    calibration: calibrationFor(set.classCount, texts.length),
  };
}

/** Number of texts that contain each word. */
function documentFrequencies(texts: readonly string[]): Map<string, number> {
  const frequencies = new Map<string, number>();
  const tokens = new TokenBuffer();
  for (const text of texts) {
    const normalised = normaliseText(text);
    tokens.read(normalised);
    const words = new Set<string>();
    for (let t = 0; t < tokens.count; t++) words.add(normalised.slice(tokens.starts[t], tokens.ends[t]));
    for (const word of words) frequencies.set(word, (frequencies.get(word) ?? 0) + 1);
  }
  return frequencies;
}

/** Mean score of the correct intent over a sample of examples; 1 if there is none, or the mean is not positive. */
function typicalScore({ vectors, labels }: TrainingSet, { weights, bias }: LinearModel): number {
  const step = Math.max(1, Math.floor(labels.length / MAX_MEASURED));
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

/** Epochs. With few examples the SVM has converged by then; with many, more epochs would take seconds. */
const SVM_EPOCHS = { few: 15, many: 8 };
/** The low-rank model's dimensions and epochs. Chosen by hand on validation lines. */
const LOW_RANK = {
  few: { dimensions: 192, epochs: 15 },
  many: { dimensions: 128, epochs: 6 },
};
/**
 * Factor of the SVM's weights; the low-rank model's is 1. It is examples per intent ÷ 12, within these bounds: the
 * low-rank model is more accurate with few examples, the SVM with many. Chosen by hand on validation lines, at 5 to 100
 * examples per intent.
 */
const SVM_SHARE = { examplesPerIntent: 12, least: 1, most: 4 };

/** The SVM's share of the training time, for progress. Measured CPU time: 0.67 (2,000 intents of 3 examples) to 0.83 (200 of 50). */
const SVM_TIME = 0.8;

/** The weights of a model: the sum of an SVM's and a low-rank model's. */
export function fitLinear(set: TrainingSet, seed: number, report: Report): LinearModel {
  const size = sizeOf(set.labels.length);
  const blend = trainSvm(set, SVM_EPOCHS[size], seededRandom(seed), (done) => report(done * SVM_TIME));
  scale(blend, svmShare(set.labels.length / Math.max(1, set.classCount)));
  const lowRank = trainLowRank(set, LOW_RANK[size], seededRandom(seed + 1), (done) =>
    report(SVM_TIME + (1 - SVM_TIME) * done),
  );
  add(blend, lowRank);
  return blend;
}

function svmShare(examplesPerIntent: number): number {
  const { least, most } = SVM_SHARE;
  return Math.min(most, Math.max(least, examplesPerIntent / SVM_SHARE.examplesPerIntent));
}

/** Scales in place, because the weights of a large bot take 40 MB and more. */
function scale({ weights: { cells }, bias }: LinearModel, factor: number): void {
  for (let i = 0; i < cells.length; i++) cells[i]! *= factor;
  for (let k = 0; k < bias.length; k++) bias[k]! *= factor;
}

/** Adds the second model to the first, in place. */
function add({ weights: { cells }, bias }: LinearModel, other: LinearModel): void {
  for (let i = 0; i < cells.length; i++) cells[i]! += other.weights.cells[i]!;
  for (let k = 0; k < bias.length; k++) bias[k]! += other.bias[k]!;
}
