import { openRequestVectors } from "./request-vectors.ts";
import { openSentenceEncoder } from "./sentence-encoder.ts";

/** What is known of a sentence by its meaning, whatever bot it is said to. */
export interface EncodedSentence {
  /** See `SentenceEncoder.encodeCentred`. */
  vector: Float32Array;
  /**
   * The cosine to the nearest of 1,116 things that people say to bots of all kinds: what is like them is less likely about a bot's own
   * subjects.
   */
  requestCosine: number;
}

/** Encodes on this thread, without yielding. Undefined where the text is blank, or the processor or the runtime has no SIMD. */
export function encodeSentence(text: string): EncodedSentence | undefined {
  const vector = openSentenceEncoder()?.encodeCentred(text);
  return vector && { vector, requestCosine: openRequestVectors().nearest(vector) };
}
