import type { SparseRows } from "../features/sparse-vector.ts";
import { type Arena, type KernelMatrix, type Kernels, paddedColumns } from "./kernels/kernels.ts";
import { openArena } from "./kernels/simd.ts";
import { type Random, shuffle } from "./random.ts";
import type { LinearModel, Report, TrainingSet } from "./training-set.ts";

/** C of the support vector machine: the cost of margin violations. The usual value. */
const COST = 1;
/** Additional factor of C for an intent's own examples, because those of all others outnumber them. Chosen by hand on validation lines. */
const POSITIVE_WEIGHT = 3;
/** Training ends when no dual coordinate changes by more in an epoch. Smaller changes alter no decision. */
const SMALLEST_STEP = 2e-3;
/** Smaller changes of a dual coordinate are skipped to save time. */
const SMALLEST_CHANGE = 1e-6;

/**
 * One-vs-rest linear SVM with squared hinge loss, by dual coordinate descent (Hsieh et al. 2008) over all classes at once.
 * @param report called after each epoch with the share that is done, 0–1.
 */
export function trainSvm(set: TrainingSet, epochs: number, random: Random, report: Report): LinearModel {
  const solver = new DualSolver(set);
  const order = Int32Array.from(set.labels.keys());
  for (let epoch = 0; epoch < epochs; epoch++) {
    shuffle(order, random);
    let greatest = 0;
    for (const example of order) greatest = Math.max(greatest, solver.visit(example));
    if (greatest < SMALLEST_STEP) break;
    if (epoch + 1 < epochs) report((epoch + 1) / epochs);
  }
  report(1);
  return solver.model;
}

class DualSolver {
  /** The current state; not a copy. */
  readonly model: LinearModel;
  readonly #set: TrainingSet;
  readonly #kernels: Kernels;
  readonly #vectors: SparseRows;
  readonly #weights: KernelMatrix;
  /** Dual coordinates, one per example and class. */
  readonly #alphas: Float32Array;
  readonly #scores: Float32Array;
  /** For the current example: the classes whose coordinates change, and the changes. */
  readonly #changed: Int32Array;
  readonly #steps: Float64Array;

  constructor(set: TrainingSet) {
    const { vectors, featureCount, classCount, labels } = set;
    const columns = paddedColumns(classCount);
    const arena = openArena(2 * vectors.rows.length + (featureCount + 1) * columns, 4);
    this.#set = set;
    this.#kernels = arena.kernels;
    this.#vectors = copyRows(vectors, arena);
    this.#weights = { cells: arena.floats(featureCount * columns), columns };
    this.#scores = arena.floats(columns);
    this.#alphas = new Float32Array(labels.length * classCount);
    this.#changed = new Int32Array(classCount);
    this.#steps = new Float64Array(classCount);
    this.model = { weights: this.#weights, bias: new Float32Array(classCount) };
  }

  /** Optimises the coordinates of one example. @returns the largest change. */
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
      if (Math.abs(change) < SMALLEST_CHANGE) continue;
      this.#alphas[at] = fresh;
      this.#changed[changedCount] = k;
      this.#steps[changedCount++] = change * sign;
      greatest = Math.max(greatest, Math.abs(change));
    }
    this.#update(example, changedCount);
    return greatest;
  }

  #score(example: number): void {
    const { offsets, rows, values } = this.#vectors;
    this.#scores.set(this.model.bias);
    this.#kernels.gather(this.#weights, rows, values, offsets[example]!, offsets[example + 1]!, this.#scores);
  }

  #update(example: number, changedCount: number): void {
    if (changedCount === 0) return;
    const { offsets, rows, values } = this.#vectors;
    const { cells, columns } = this.#weights;
    const bias = this.model.bias;
    for (let c = 0; c < changedCount; c++) bias[this.#changed[c]!]! += this.#steps[c]!;
    for (let i = offsets[example]!; i < offsets[example + 1]!; i++) {
      const value = values[i]!;
      const row = rows[i]! * columns;
      for (let c = 0; c < changedCount; c++) cells[row + this.#changed[c]!]! += value * this.#steps[c]!;
    }
  }
}

/** A copy in the arena, which the kernels can read. */
function copyRows({ offsets, rows, values }: SparseRows, arena: Arena): SparseRows {
  const copy = { offsets, rows: arena.ints(rows.length), values: arena.floats(values.length) };
  copy.rows.set(rows);
  copy.values.set(values);
  return copy;
}
