import type { SparseRows } from "../features/sparse-vector.ts";
import type { KernelMatrix } from "./kernels/kernels.ts";

/** Progress callback; `done` is 0–1. */
export type Report = (done: number) => void;

/** Input of training: examples as vectors, with the index of each example's intent. */
export interface TrainingSet {
  vectors: SparseRows;
  /** The group of each feature, by row. */
  groups: Uint8Array;
  /** For each entry of `vectors`, the words that its feature is made of; see `FeatureBuffer.wordBits`. */
  wordBits: Int32Array;
  labels: Int32Array;
  classCount: number;
  /** Rows. */
  featureCount: number;
}

/** Result of training: a row of weights per feature, and a bias per intent. */
export interface LinearModel {
  weights: KernelMatrix;
  bias: Float32Array;
}

/**
 * Minimum number of texts, names and descriptions included, at which a bot has many. With fewer, training takes more epochs, uses more
 * low-rank dimensions, other group factors and the encoder. With more, these gain little accuracy, and training has to end within
 * seconds. Chosen by hand. Calibration has a bound of its own; see `TEXTS_OF_MANY`.
 */
const TRAINED_AS_MANY = 2000;

type TrainingSize = "few" | "many";

export function sizeOf(textCount: number): TrainingSize {
  return textCount < TRAINED_AS_MANY ? "few" : "many";
}
