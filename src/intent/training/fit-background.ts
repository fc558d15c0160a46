import { GRAM_GROUP } from "../features/features.ts";
import { GrowingRows, type SparseRows } from "../features/sparse-rows.ts";
import { SparseVector } from "../features/sparse-vector.ts";
import type { BackgroundClass } from "../model/background-class.ts";
import type { PreparedTexts } from "./prepare-texts.ts";
import { seededRandom, shuffle } from "./random.ts";
import { readRequests } from "./read-requests.ts";

/** Cost of a request on the wrong side, as of the SVM between intents. */
const COST = 1;
/**
 * Weight of an example: requests ÷ examples, so that both classes count alike, but at least this. What a bot is about has to be
 * recognised even where it has more examples than there are requests. Chosen by hand on simulated bots.
 */
const LEAST_EXAMPLE_WEIGHT = 3;
/** Passes over all texts. Its scores are one signal of many, and need not be exact. */
const EPOCHS = 6;

/**
 * A linear SVM between a bot's examples and what people say to bots in general. Undefined where either are missing. Requests that are
 * the bot's own do no harm: sorting them out first, by what its model says of them, gained nothing. Character grams are left out: they
 * gained next to nothing at five times the cost.
 */
export function fitBackground(
  { set, vocabulary, knowledge }: Pick<PreparedTexts, "set" | "vocabulary" | "knowledge">,
  requests: readonly string[],
): BackgroundClass | undefined {
  const { vectors, groups, featureCount } = set;
  const exampleCount = vectors.offsets.length - 1;
  if (exampleCount === 0 || requests.length === 0) return undefined;
  const collected = new GrowingRows((row) => groups[row] !== GRAM_GROUP);
  addExamples(collected, vectors);
  addRequests(collected, requests, { vocabulary, knowledge });
  const solver = new BinarySolver(collected.all, featureCount);
  const exampleCost = COST * Math.max(LEAST_EXAMPLE_WEIGHT, requests.length / exampleCount);
  const order = Int32Array.from({ length: exampleCount + requests.length }, (_, text) => text);
  const random = seededRandom(1);
  for (let epoch = 0; epoch < EPOCHS; epoch++) {
    shuffle(order, random);
    for (const text of order)
      if (text < exampleCount) solver.visit(text, 1, exampleCost);
      else solver.visit(text, -1, COST);
  }
  return solver.model;
}

/** Dual coordinate descent for the squared hinge loss, as in `svm.ts`, whose kernels are made for many classes. */
class BinarySolver {
  readonly model: BackgroundClass;
  readonly #texts: SparseRows;
  readonly #alphas: Float32Array;

  constructor(texts: SparseRows, featureCount: number) {
    this.model = { weights: new Float32Array(featureCount), bias: 0 };
    this.#texts = texts;
    this.#alphas = new Float32Array(texts.offsets.length - 1);
  }

  /**
   * Optimises the coordinate of one text.
   * @param side 1 for an example, −1 for a request.
   */
  visit(text: number, side: 1 | -1, cost: number): void {
    const { offsets, rows, values } = this.#texts;
    const { weights } = this.model;
    const [from, to] = [offsets[text]!, offsets[text + 1]!];
    let score = this.model.bias;
    for (let i = from; i < to; i++) score += values[i]! * weights[rows[i]!]!;
    const slack = 0.5 / cost;
    const old = this.#alphas[text]!;
    // Vectors have length 1 at most, and the bias is one more feature of value 1.
    const fresh = Math.max(0, old - (side * score - 1 + old * slack) / (2 + slack));
    if (fresh === old) return;
    this.#alphas[text] = fresh;
    const change = side * (fresh - old);
    this.model.bias += change;
    for (let i = from; i < to; i++) weights[rows[i]!]! += change * values[i]!;
  }
}

function addExamples(collected: GrowingRows, { offsets, rows, values }: SparseRows): void {
  for (let example = 0; example + 1 < offsets.length; example++) {
    collected.add(rows, values, offsets[example]!, offsets[example + 1]!);
  }
}

function addRequests(
  collected: GrowingRows,
  requests: readonly string[],
  { vocabulary: { index, idf }, knowledge }: Pick<PreparedTexts, "vocabulary" | "knowledge">,
): void {
  const vector = new SparseVector();
  const meanings = knowledge.isWeighed ? knowledge.meanings : undefined;
  for (const { features, meaning } of readRequests(requests, meanings)) {
    vector.count(features, index);
    vector.addSummedMeaning(meaning);
    vector.weigh(idf);
    collected.add(vector.rows, vector.values, 0, vector.length);
  }
}
