import { type Random, shuffle } from "./random.ts";
import type { TrainingSet } from "./training-set.ts";

const COST = 1;
const POSITIVE_WEIGHT = 3;
const SMALLEST_STEP = 2e-3;

/** A linear model: `weights` row-major [feature][class], and what is added for every text. */
export interface LinearModel {
  weights: Float32Array;
  bias: Float32Array;
}

/**
 * One-vs-rest linear SVM with squared hinge loss, by dual coordinate descent (Hsieh et al. 2008) over all classes at once.
 * @param report called after each epoch with the share that is done, 0–1.
 */
export function trainSvm(
  set: TrainingSet,
  epochs: number,
  random: Random,
  report: (done: number) => void,
): LinearModel {
  const { classCount, featureCount, labels } = set;
  const solver = new DualSolver(set, {
    weights: new Float32Array(featureCount * classCount),
    bias: new Float32Array(classCount),
  });
  const order = Int32Array.from(labels.keys());
  for (let epoch = 0; epoch < epochs; epoch++) {
    shuffle(order, random);
    let greatest = 0;
    for (const example of order) greatest = Math.max(greatest, solver.visit(example));
    report((epoch + 1) / epochs);
    if (greatest < SMALLEST_STEP) break;
  }
  return solver.model;
}

class DualSolver {
  readonly model: LinearModel;
  readonly #set: TrainingSet;
  readonly #alphas: Float32Array;
  readonly #scores: Float64Array;
  readonly #changed: Int32Array;
  readonly #steps: Float64Array;

  constructor(set: TrainingSet, model: LinearModel) {
    this.#set = set;
    this.model = model;
    this.#alphas = new Float32Array(set.labels.length * set.classCount);
    this.#scores = new Float64Array(set.classCount);
    this.#changed = new Int32Array(set.classCount);
    this.#steps = new Float64Array(set.classCount);
  }

  /** Optimises one example's coordinates; returns the greatest change of one. */
  visit(example: number): number {
    this.#score(example);
    const { classCount, labels } = this.#set;
    const label = labels[example]!;
    let changedCount = 0;
    let greatest = 0;
    for (let k = 0; k < classCount; k++) {
      const sign = k === label ? 1 : -1;
      const slack = 0.5 / (k === label ? COST * POSITIVE_WEIGHT : COST);
      const at = example * classCount + k;
      const old = this.#alphas[at]!;
      const gradient = sign * this.#scores[k]! - 1 + old * slack;
      if (old === 0 && gradient >= 0) continue;
      // Vectors have unit length, and the bias is one more feature of value 1.
      const fresh = Math.max(0, old - gradient / (2 + slack));
      const change = fresh - old;
      if (Math.abs(change) < 1e-6) continue;
      this.#alphas[at] = fresh;
      this.#changed[changedCount] = k;
      this.#steps[changedCount++] = change * sign;
      greatest = Math.max(greatest, Math.abs(change));
    }
    this.#update(example, changedCount);
    return greatest;
  }

  #score(example: number): void {
    const { classCount, vectors } = this.#set;
    const { weights, bias } = this.model;
    const scores = this.#scores;
    scores.set(bias);
    for (let i = vectors.offsets[example]!; i < vectors.offsets[example + 1]!; i++) {
      const value = vectors.values[i]!;
      const row = vectors.rows[i]! * classCount;
      for (let k = 0; k < classCount; k++) scores[k]! += value * weights[row + k]!;
    }
  }

  #update(example: number, changedCount: number): void {
    if (changedCount === 0) return;
    const { classCount, vectors } = this.#set;
    const { weights, bias } = this.model;
    for (let c = 0; c < changedCount; c++) bias[this.#changed[c]!]! += this.#steps[c]!;
    for (let i = vectors.offsets[example]!; i < vectors.offsets[example + 1]!; i++) {
      const value = vectors.values[i]!;
      const row = vectors.rows[i]! * classCount;
      for (let c = 0; c < changedCount; c++) weights[row + this.#changed[c]!]! += value * this.#steps[c]!;
    }
  }
}
