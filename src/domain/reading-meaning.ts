/** The meaning of one reading of a message. */
export interface ReadingMeaning {
  /** Of length 1. */
  vector: Float32Array;
  /** How near it is to the texts of each intent, in the classifier's order; absent where those were not encoded. */
  nearness?: readonly number[];
}
