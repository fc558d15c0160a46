import { normaliseText } from "../../text/normalise.ts";
import { TokenBuffer } from "../../text/tokenise.ts";
import { FeatureBuffer, type Features } from "../features/features.ts";
import { sumMeanings } from "../features/text-meaning.ts";
import { MEANING_DIMENSIONS, type WordMeanings } from "../words/word-meanings.ts";

/** What of a text does not depend on a bot: its features, and what its words mean together where that is weighed. */
export interface ReadText {
  features: Features;
  meaning: Float64Array | undefined;
}

type Readings = Map<WordMeanings | undefined, readonly ReadText[]>;

/** Kept as long as a list of requests is: several models learn from the same one, and reading takes as long as learning. */
const readings = new WeakMap<readonly string[], Readings>();

/**
 * Reads requests, each list once. What is kept takes about a kilobyte a request.
 * @param meanings where given, what the words mean is summed too.
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
