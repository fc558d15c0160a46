import type { SparseRows } from "../features/sparse-vector.ts";
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

/**
 * Texts, names and descriptions among them, from which on they are many. Below, training goes over them more often, with a wider low-rank
 * model, weighs what words mean, and encodes them; above, they say enough by themselves, and training has to end within seconds. Which
 * calibration a bot gets has a bound of its own; see `TEXTS_OF_MANY`.
 */
const TRAINED_AS_MANY = 2000;

type TrainingSize = "few" | "many";

export function sizeOf(textCount: number): TrainingSize {
  return textCount < TRAINED_AS_MANY ? "few" : "many";
}
