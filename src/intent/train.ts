import type { IntentName } from "../domain/ids.ts";
import type { LabelledTexts } from "./held-out.ts";
import { type IntentModel, packModel } from "./intent-model.ts";
import { trainLowRank } from "./low-rank.ts";
import { normaliseText } from "./normalise.ts";
import { quantiseRows } from "./quantise.ts";
import { seededRandom } from "./random.ts";
import { DEFAULT_CALIBRATION } from "./reject.ts";
import { buildLexicon } from "./spelling.ts";
import { trainSvm } from "./svm.ts";
import { TokenBuffer } from "./tokenise.ts";
import { type LinearModel, readTexts, type SparseRows, type TrainingSet } from "./training-set.ts";

/** One intent as an operator describes it. */
export interface IntentExamples {
  name: string;
  label?: string | undefined;
  description?: string | undefined;
  examples?: readonly string[] | undefined;
}

export interface TrainingOptions {
  /** The same seed gives the same model; default 1. */
  seed?: number;
  /** Called with the share of the work that is done, 0–1. */
  report?: (done: number) => void;
}

export interface TrainingResult {
  /** What `openIntentModel` opens. */
  model: Uint8Array;
  exampleCount: number;
  featureCount: number;
}

/** Bounds the weights, and so the model: a byte per feature and intent. */
const MOST_CELLS = 48_000_000;
const FEW_EXAMPLES = 2000;

/** Trains a classifier on all examples, each intent's name and its description. Pure; takes seconds at most. */
export function trainIntentModel(
  intents: readonly IntentExamples[],
  options: TrainingOptions = {},
): TrainingResult {
  const { seed = 1, report = () => undefined } = options;
  const names = intents.map(({ name }) => name as IntentName);
  const model = fitModel(names, collectTexts(intents), seed, report);
  return { model: packModel(model), exampleCount: 0, featureCount: model.vocabulary.idf.length };
}

export function fitModel(
  intents: IntentName[],
  all: LabelledTexts,
  seed: number,
  report: (done: number) => void,
): IntentModel {
  const { texts, labels, classCount } = all;
  const { vocabulary, vectors } = readTexts(texts, Math.floor(MOST_CELLS / Math.max(1, classCount)));
  const set: TrainingSet = { vectors, labels, classCount, featureCount: vocabulary.idf.length };
  const epochs = texts.length < FEW_EXAMPLES ? 15 : 8;
  const svm = trainSvm(set, epochs, seededRandom(seed), report);
  const soft = trainLowRank(
    set,
    { dimensions: texts.length < 3000 ? 192 : 128, epochs },
    seededRandom(seed + 1),
    report,
  );
  const { weights, bias } = blend(svm, soft, svmShare(texts.length / Math.max(1, classCount)));
  return {
    intents,
    vocabulary,
    lexicon: buildLexicon(countWords(texts)),
    weights: quantiseRows(weights, Math.max(1, classCount)),
    bias,
    occurrence: markOccurrence(set),
    calibration: DEFAULT_CALIBRATION,
  };
}

/** Few examples: the low-rank model knows better; many: the SVM does. Measured from 5 to 100 per intent. */
function svmShare(examplesPerIntent: number): number {
  return Math.min(4, Math.max(1, examplesPerIntent / 12));
}

/** Adds the low-rank model's logits to the SVM's scores times `share`. */
function blend(svm: LinearModel, soft: LinearModel, share: number): LinearModel {
  const { cells } = svm.weights;
  for (let i = 0; i < cells.length; i++) cells[i] = share * cells[i]! + soft.weights.cells[i]!;
  const bias = svm.bias.map((value, k) => share * value + soft.bias[k]!);
  return { weights: svm.weights, bias };
}

export function collectTexts(intents: readonly IntentExamples[]): LabelledTexts {
  const texts: string[] = [];
  const labels: number[] = [];
  intents.forEach((intent, label) => {
    const spoken = [...(intent.examples ?? []), splitName(intent.name), intent.label, intent.description];
    for (const text of spoken) {
      if (text === undefined || text.trim() === "") continue;
      texts.push(text);
      labels.push(label);
    }
  });
  return { texts, labels: Int32Array.from(labels), classCount: intents.length };
}

function splitName(name: string): string {
  return name.replaceAll(/[_\-./]+/g, " ").replaceAll(/(\p{Ll})(\p{Lu})/gu, "$1 $2");
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

function markOccurrence({ vectors, labels, classCount, featureCount }: TrainingSet): Uint8Array {
  const bits = new Uint8Array(Math.ceil((featureCount * classCount) / 8));
  labels.forEach((label, example) => markRows(bits, vectors, example, classCount, label));
  return bits;
}

function markRows(
  bits: Uint8Array,
  vectors: SparseRows,
  example: number,
  classCount: number,
  label: number,
): void {
  for (let i = vectors.offsets[example]!; i < vectors.offsets[example + 1]!; i++) {
    const bit = vectors.rows[i]! * classCount + label;
    bits[bit >> 3]! |= 1 << (bit & 7);
  }
}
