import { normaliseText } from "../../text/normalise.ts";
import { TokenBuffer } from "../../text/tokenise.ts";
import { FeatureBuffer, type Features } from "../features/features.ts";
import { sumMeanings } from "../features/vectorise.ts";
import { MEANING_DIMENSIONS, type WordMeanings } from "../words/word-meanings.ts";

/** A text's features, and what its words mean together, where that is known. */
export interface ReadText {
  features: Features;
  meaning: Float64Array | undefined;
}

type Readings = Map<WordMeanings | undefined, readonly ReadText[]>;

/** Several models learn from the same requests, and to read them takes as long as to learn. */
const readings = new WeakMap<readonly string[], Readings>();

/**
 * What of some requests does not depend on a bot; kept as long as their list is, about a kilobyte each.
 * @param meanings where they are weighed.
 */
export function readRequests(
  requests: readonly string[],
  meanings: WordMeanings | undefined,
): readonly ReadText[] {
  const known: Readings = readings.get(requests) ?? new Map();
  const read = known.get(meanings) ?? readTexts(requests, meanings);
  readings.set(requests, known.set(meanings, read));
  return read;
}

function readTexts(texts: readonly string[], meanings: WordMeanings | undefined): ReadText[] {
  const [tokens, features] = [new TokenBuffer(), new FeatureBuffer()];
  return texts.map((text) => {
    tokens.read(normaliseText(text));
    features.read(tokens);
    const hashes = features.hashes.slice(0, features.groupEnds.at(-1));
    const meaning = new Float64Array(MEANING_DIMENSIONS);
    return {
      features: { hashes, groupEnds: features.groupEnds.slice() },
      meaning: meanings && sumMeanings(features, meanings, meaning) ? meaning : undefined,
    };
  });
}
