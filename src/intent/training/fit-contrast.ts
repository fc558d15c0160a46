import { GRAM_GROUP } from "../features/features.ts";
import { SparseVector } from "../features/vectorise.ts";
import type { Contrast } from "../scoring/contrast.ts";
import type { WordKnowledge } from "../words/word-knowledge.ts";
import { seededRandom, shuffle } from "./random.ts";
import { readRequests } from "./read-requests.ts";
import { GrowingRows, type SparseRows, type TrainingSet, type Vocabulary } from "./training-set.ts";

const COST = 1;
/** An example counts for as much more than a request as there are fewer of them, and at least so much. */
const LEAST_EXAMPLE_WEIGHT = 3;
const EPOCHS = 6;

/** What a model is trained on; see `PreparedTexts`. */
interface ContrastBasis {
  set: TrainingSet;
  vocabulary: Vocabulary;
  knowledge: WordKnowledge;
}

/**
 * A linear SVM between a bot's examples and what people say to bots in general; undefined where either are missing. Requests that are
 * the bot's own do no harm: sorting them out first, by what its model says of them, gained nothing. Character grams are left out: they
 * gained next to nothing at five times the cost.
 */
export function fitContrast(
  { set: { vectors, groups, featureCount }, vocabulary, knowledge }: ContrastBasis,
  requests: readonly string[],
): Contrast | undefined {
  const exampleCount = vectors.offsets.length - 1;
  if (exampleCount === 0 || requests.length === 0) return undefined;
  const collected = new GrowingRows((row) => groups[row] !== GRAM_GROUP);
  addExamples(collected, vectors);
  addRequests(collected, requests, vocabulary, knowledge);
  const texts = collected.all;
  const contrast = { weights: new Float32Array(featureCount), bias: 0 };
  const alphas = new Float32Array(exampleCount + requests.length);
  const exampleCost = COST * Math.max(LEAST_EXAMPLE_WEIGHT, requests.length / exampleCount);
  const order = Int32Array.from(alphas.keys());
  const random = seededRandom(1);
  for (let epoch = 0; epoch < EPOCHS; epoch++) {
    shuffle(order, random);
    for (const text of order) visit(contrast, texts, text, text < exampleCount ? exampleCost : -COST, alphas);
  }
  return contrast;
}

/**
 * One step of dual coordinate descent for the squared hinge loss, as in `svm.ts`, whose kernels are made for many classes.
 * @param cost above 0 for an example, below for a request.
 */
function visit(
  contrast: Contrast,
  { offsets, rows, values }: SparseRows,
  text: number,
  cost: number,
  alphas: Float32Array,
): void {
  const { weights } = contrast;
  const [from, to] = [offsets[text]!, offsets[text + 1]!];
  let score = contrast.bias;
  for (let i = from; i < to; i++) score += values[i]! * weights[rows[i]!]!;
  const sign = Math.sign(cost);
  const slack = 0.5 / Math.abs(cost);
  const old = alphas[text]!;
  const fresh = Math.max(0, old - (sign * score - 1 + old * slack) / (2 + slack));
  if (fresh === old) return;
  alphas[text] = fresh;
  const change = sign * (fresh - old);
  contrast.bias += change;
  for (let i = from; i < to; i++) weights[rows[i]!]! += change * values[i]!;
}

function addExamples(collected: GrowingRows, { offsets, rows, values }: SparseRows): void {
  for (let example = 0; example + 1 < offsets.length; example++) {
    collected.add(rows, values, offsets[example]!, offsets[example + 1]!);
  }
}

function addRequests(
  collected: GrowingRows,
  requests: readonly string[],
  { index, idf }: Vocabulary,
  knowledge: WordKnowledge,
): void {
  const vector = new SparseVector();
  for (const { features, meaning } of readRequests(
    requests,
    knowledge.isWeighed ? knowledge.meanings : undefined,
  )) {
    vector.count(features, index);
    vector.addSummedMeaning(meaning);
    vector.weigh(idf);
    collected.add(vector.rows, vector.values, 0, vector.length);
  }
}
