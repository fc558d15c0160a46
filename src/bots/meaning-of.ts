import type { ReadingMeaning } from "../domain/reading-meaning.ts";
import { nearnessByIntent, type SentenceModel } from "../intent/classifier.ts";

/** A reading's meaning. @param sentences what the bot's examples mean, where they were encoded. */
export function meaningOf(vector: Float32Array, sentences: SentenceModel | undefined): ReadingMeaning {
  return { vector, ...(sentences && { nearness: nearnessByIntent(sentences, vector) }) };
}
