import { type IntentName } from "../../domain/ids.ts";
import { type Calibration } from "../calibration/calibration.ts";
import { type SparseRows } from "../features/sparse-vector.ts";
import { type HashIndex } from "../words/hash-index.ts";
import { type Lexicon } from "../words/lexicon.ts";
import { type ExampleIndex } from "./example-index.ts";
import { type QuantisedMatrix } from "./quantise.ts";

/** The features that a model knows. Each has a row number, frequent ones low ones. */
export interface Vocabulary {
  /** Row numbers by the features' hashes. */
  index: HashIndex;
  /** Inverse document frequency of each feature, by row. */
  idf: Float32Array;
}

/** A trained model: arrays only, so that storing and opening it copies nothing. */
export interface IntentModel {
  intents: readonly IntentName[];
  /** The features that the model knows, each with the number of its row. */
  vocabulary: Vocabulary;
  /** The words that misspelt ones are repaired to. */
  lexicon: Lexicon;
  /** A row for each feature, a column for each intent. */
  weights: QuantisedMatrix;
  /** Added to the score of each intent. */
  bias: Float32Array;
  /** Which features occur in the examples of which intents. */
  occurrence: OccurrenceBits;
  /** The examples, to be recognised word for word. */
  examples: ExampleIndex;
  /** Mean score of the right intent for an example; the yardstick of other scores. */
  typicalScore: number;
  /** Converts scores to probabilities. */
  calibration: Calibration;
}

/** Which features occur in the examples of which intents: a bit for each, row by row of the weights. */
export type OccurrenceBits = Uint8Array;

/** Examples as vectors, and the intent of each. */
interface LabelledVectors {
  vectors: SparseRows;
  labels: Int32Array;
  classCount: number;
  featureCount: number;
}

export function markOccurrence({
  vectors,
  labels,
  classCount,
  featureCount,
}: LabelledVectors): OccurrenceBits {
  const bits = new Uint8Array(Math.ceil((featureCount * classCount) / 8));
  labels.forEach((label, example) => {
    for (let i = vectors.offsets[example]!; i < vectors.offsets[example + 1]!; i++) {
      const bit = vectors.rows[i]! * classCount + label;
      bits[bit >> 3]! |= 1 << (bit & 7);
    }
  });
  return bits;
}

/** Whether a feature, given by its row, occurs in an example of an intent. `intentCount` is the class count of the marked set. */
export function occursIn(bits: OccurrenceBits, row: number, intent: number, intentCount: number): boolean {
  const bit = row * intentCount + intent;
  return ((bits[bit >> 3]! >> (bit & 7)) & 1) === 1;
}
