import { PAIR_GROUP } from "../features/features.ts";
import type { SparseRows } from "../features/sparse-vector.ts";
import { inverseClassFrequency } from "./inverse-class-frequency.ts";
import { type Arena, type KernelMatrix, paddedColumns } from "./kernels/kernels.ts";
import { openArena } from "./kernels/simd.ts";
import { normal, type Random, shuffle } from "./random.ts";
import type { LinearModel, Report, TrainingSet } from "./training-set.ts";

// The constants below were chosen by hand on validation lines of CLINC150 and BANKING77.
/** Initial value; falls linearly to 0 in the course of training. */
const LEARNING_RATE = 0.1;
/** Initial value of Adagrad's sums of squared gradients; bounds the first steps. */
const FIRST_ACCUMULATION = 0.1;
/** Standard deviations of the initial vectors of features and classes, multiplied by the square root of the dimensions. */
const EMBEDDING_DEVIATION = 0.1;
const CLASS_DEVIATION = 0.5;
/** Squared error below which an example is skipped. Saves a quarter of the time without loss of accuracy. */
const NOTHING_TO_LEARN = 1e-4;
/** Probability with which each word of an example is dropped at a visit, with all features made of it. */
const WORD_DROPOUT = 0.15;
/** Probability with which each single feature of an example is dropped at a visit. */
const FEATURE_DROPOUT = 0.2;
/** A mask of words with all bits set. */
const ALL_WORDS = -1;

interface LowRankOptions {
  dimensions: number;
  epochs: number;
}

/**
 * Softmax regression through a bottleneck: logits = Vᵀ(Eᵀx) + b. Features that occur together get similar rows of E, which helps where
 * examples are few. Learnt by stochastic gradient descent with one Adagrad accumulator for each row. The result is the product E·V.
 * @param report called after each epoch with the share that is done, 0–1.
 */
export function trainLowRank(
  set: TrainingSet,
  options: LowRankOptions,
  random: Random,
  report: Report,
): LinearModel {
  const learner = new LowRankLearner(set, options.dimensions, random);
  const order = Int32Array.from(set.labels.keys());
  const total = options.epochs * order.length;
  let seen = 0;
  for (let epoch = 0; epoch < options.epochs; epoch++) {
    shuffle(order, random);
    for (const example of order) learner.visit(example, LEARNING_RATE * (1 - seen++ / total));
    report((epoch + 1) / options.epochs);
  }
  return learner.product();
}

/** E is `#embeddings`, V is `#classes`; `…Squares` are Adagrad's sums of squared gradients. */
class LowRankLearner {
  readonly #set: TrainingSet;
  readonly #arena: Arena;
  /** Factor of each feature, applied first. */
  readonly #factors: Float32Array;
  readonly #embeddings: KernelMatrix;
  readonly #embeddingSquares: Float32Array;
  readonly #classes: KernelMatrix;
  readonly #classSquares: Float32Array;
  readonly #bias: Float32Array;
  readonly #biasSquares: Float32Array;
  /** For the current example: Eᵀx, its gradient, and the logits, which are overwritten by their gradient. */
  readonly #hidden: Float32Array;
  readonly #hiddenGradient: Float32Array;
  readonly #logits: Float32Array;
  /** Step size of each row along the gradient. */
  readonly #steps: Float32Array;
  /** 0, 1, 2, …: all rows of the class matrix. */
  readonly #allRows: Int32Array;
  /** Features of the current example that were not dropped. */
  readonly #keptRows: Int32Array;
  readonly #keptValues: Float32Array;
  #keptCount = 0;
  readonly #random: Random;

  constructor(set: TrainingSet, dimensions: number, random: Random) {
    const { vectors, featureCount, classCount } = set;
    const hidden = paddedColumns(dimensions);
    const columns = paddedColumns(classCount);
    const longest = Math.max(hidden, longestRow(vectors));
    const numbers = featureCount * (hidden + columns) + (hidden + 1) * columns + 3 * hidden + 3 * longest;
    const arena = openArena(numbers, 10);
    this.#set = set;
    this.#arena = arena;
    this.#factors = inverseClassFrequency(set);
    this.#random = random;
    this.#embeddings = { cells: arena.floats(featureCount * hidden), columns: hidden };
    this.#classes = { cells: arena.floats(hidden * columns), columns };
    this.#hidden = arena.floats(hidden);
    this.#hiddenGradient = arena.floats(hidden);
    this.#logits = arena.floats(columns);
    this.#steps = arena.floats(longest);
    this.#keptRows = arena.ints(longest);
    this.#keptValues = arena.floats(longest);
    this.#allRows = arena.ints(hidden);
    this.#allRows.forEach((_, h) => (this.#allRows[h] = h));
    this.#embeddingSquares = new Float32Array(featureCount).fill(FIRST_ACCUMULATION);
    this.#classSquares = new Float32Array(hidden).fill(FIRST_ACCUMULATION);
    this.#biasSquares = new Float32Array(classCount).fill(FIRST_ACCUMULATION);
    this.#bias = new Float32Array(classCount);
    this.#initialise(hidden, random);
  }

  #initialise(hidden: number, random: Random): void {
    const { cells } = this.#embeddings;
    const reach = (EMBEDDING_DEVIATION * Math.sqrt(3)) / Math.sqrt(hidden);
    for (let i = 0; i < cells.length; i++) cells[i] = reach * (2 * random() - 1);
    const deviation = CLASS_DEVIATION / Math.sqrt(hidden);
    for (let h = 0; h < hidden; h++) {
      for (let k = 0; k < this.#set.classCount; k++) {
        this.#classes.cells[h * this.#classes.columns + k] = deviation * normal(random);
      }
    }
  }

  /** One step of gradient descent; skipped if the error is negligible. */
  visit(example: number, learningRate: number): void {
    this.#dropOut(example);
    this.#predict();
    const squares = this.#turnIntoGradient(this.#set.labels[example]!);
    if (squares < NOTHING_TO_LEARN) return;
    const { kernels } = this.#arena;
    kernels.dots(this.#classes, this.#hidden.length, this.#logits, this.#hiddenGradient);
    this.#updateClasses(squares, learningRate);
    this.#updateEmbeddings(learningRate);
  }

  /**
   * Selects the features of this visit. Dropping random words keeps the model from relying on single ones: half a point of accuracy
   * at 10 examples per intent.
   */
  #dropOut(example: number): void {
    const { vectors, wordBits, groups } = this.#set;
    const { offsets, rows, values } = vectors;
    const kept = this.#drawWords(example);
    let count = 0;
    for (let i = offsets[example]!; i < offsets[example + 1]!; i++) {
      if (this.#random() < FEATURE_DROPOUT) continue;
      const row = rows[i]!;
      if (!isKept(wordBits[i]!, kept, groups[row]!)) continue;
      this.#keptRows[count] = row;
      this.#keptValues[count++] = (values[i]! * this.#factors[row]!) / (1 - FEATURE_DROPOUT);
    }
    this.#keptCount = count;
  }

  /** Selects the words that are kept, as bits like `wordBits`; at least one. */
  #drawWords(example: number): number {
    const { vectors, wordBits } = this.#set;
    let all = 0;
    for (let i = vectors.offsets[example]!; i < vectors.offsets[example + 1]!; i++) all |= wordBits[i]!;
    let kept = 0;
    for (let left = all; left !== 0; left &= left - 1) {
      if (this.#random() >= WORD_DROPOUT) kept |= left & -left;
    }
    return kept === 0 ? ALL_WORDS : kept;
  }

  #predict(): void {
    const { kernels } = this.#arena;
    this.#hidden.fill(0);
    kernels.gather(this.#embeddings, this.#keptRows, this.#keptValues, 0, this.#keptCount, this.#hidden);
    this.#logits.set(this.#bias);
    kernels.gather(this.#classes, this.#allRows, this.#hidden, 0, this.#hidden.length, this.#logits);
  }

  /** Replaces the logits by softmax − target. Returns the sum of squares. */
  #turnIntoGradient(label: number): number {
    const logits = this.#logits;
    const { classCount } = this.#set;
    let greatest = -Infinity;
    for (let k = 0; k < classCount; k++) if (logits[k]! > greatest) greatest = logits[k]!;
    let sum = 0;
    for (let k = 0; k < classCount; k++) sum += logits[k] = Math.exp(logits[k]! - greatest);
    let squares = 0;
    for (let k = 0; k < classCount; k++) {
      const gradient = logits[k]! / sum - (k === label ? 1 : 0);
      logits[k] = gradient;
      squares += gradient * gradient;
    }
    return squares;
  }

  #updateClasses(squares: number, learningRate: number): void {
    const hidden = this.#hidden;
    const { classCount } = this.#set;
    for (let h = 0; h < hidden.length; h++) {
      const value = hidden[h]!;
      const accumulated = (this.#classSquares[h]! += (value * value * squares) / classCount);
      this.#steps[h] = (-learningRate * value) / Math.sqrt(accumulated);
    }
    this.#arena.kernels.scatter(this.#classes, this.#allRows, 0, hidden.length, this.#steps, this.#logits);
    for (let k = 0; k < classCount; k++) {
      const gradient = this.#logits[k]!;
      const accumulated = (this.#biasSquares[k]! += gradient * gradient);
      this.#bias[k]! -= (learningRate * gradient) / Math.sqrt(accumulated);
    }
  }

  #updateEmbeddings(learningRate: number): void {
    const gradient = this.#hiddenGradient;
    let squares = 0;
    for (let h = 0; h < gradient.length; h++) squares += gradient[h]! * gradient[h]!;
    squares /= gradient.length;
    for (let i = 0; i < this.#keptCount; i++) {
      const value = this.#keptValues[i]!;
      const accumulated = (this.#embeddingSquares[this.#keptRows[i]!]! += value * value * squares);
      this.#steps[i] = (-learningRate * value) / Math.sqrt(accumulated);
    }
    this.#arena.kernels.scatter(this.#embeddings, this.#keptRows, 0, this.#keptCount, this.#steps, gradient);
  }

  /** The product diag(factors)·E·V, which makes scoring a text one sparse product, independent of the dimensions. */
  product(): LinearModel {
    const { featureCount } = this.#set;
    const { columns } = this.#classes;
    const hidden = this.#hidden.length;
    const cells = this.#arena.floats(featureCount * columns);
    for (let row = 0; row < featureCount; row++) {
      this.#hidden.set(this.#embeddings.cells.subarray(row * hidden, (row + 1) * hidden));
      this.#logits.fill(0);
      this.#arena.kernels.gather(this.#classes, this.#allRows, this.#hidden, 0, hidden, this.#logits);
      const factor = this.#factors[row]!;
      for (let k = 0; k < columns; k++) cells[row * columns + k] = factor * this.#logits[k]!;
    }
    return { weights: { cells, columns }, bias: this.#bias };
  }
}

/** Whether a feature is kept with the words in `kept`. A pair needs both of its words. */
function isKept(wordBits: number, kept: number, group: number): boolean {
  const left = wordBits & kept;
  return group === PAIR_GROUP ? left === wordBits : left !== 0;
}

/** Entries of the longest vector. */
function longestRow({ offsets }: SparseRows): number {
  let longest = 0;
  for (let i = 1; i < offsets.length; i++) longest = Math.max(longest, offsets[i]! - offsets[i - 1]!);
  return longest;
}
