import type { ReadingMeaning } from "../domain/reading-meaning.ts";
import { nearnessByIntent, type SentenceModel } from "../intent/classifier.ts";

/** The meaning of one reading. @param sentences the model of the bot's examples, if they are encoded. */
export function meaningOf(vector: Float32Array, sentences: SentenceModel | undefined): ReadingMeaning {
  return { vector, ...(sentences && { nearness: nearnessByIntent(sentences, vector) }) };
}
