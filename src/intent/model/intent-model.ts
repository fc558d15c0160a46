import type { IntentName } from "../../domain/ids.ts";
import type { Calibration } from "../calibration/calibration.ts";
import type { HashIndex } from "../words/hash-index.ts";
import type { Lexicon } from "../words/lexicon.ts";
import type { ExampleIndex } from "./example-index.ts";
import type { OccurrenceBits } from "./occurrence.ts";
import type { QuantisedMatrix } from "./quantise.ts";

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
