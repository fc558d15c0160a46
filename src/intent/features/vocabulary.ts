import type { HashIndex } from "../words/hash-index.ts";

/** The features that a model knows. Each has a row number, frequent ones low ones. */
export interface Vocabulary {
  /** Row numbers by the features' hashes. */
  index: HashIndex;
  /** What each feature's rarity makes it weigh, by row. */
  idf: Float32Array;
}
