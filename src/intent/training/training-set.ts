import type { SparseRows } from "../features/sparse-rows.ts";
import type { KernelMatrix } from "./kernels/kernels.ts";

/** Called now and then with the share of the work that is done, 0–1. */
export type Report = (done: number) => void;

/** Everything that training reads: examples as vectors, and the index of each one's intent. */
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

/** What training results in: a row of weights for each feature, and what is added for every text. */
export interface LinearModel {
  weights: KernelMatrix;
  bias: Float32Array;
}
