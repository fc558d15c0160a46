import { normaliseText } from "../../text/normalise.ts";
import { TokenBuffer } from "../../text/tokenise.ts";
import { FeatureBuffer, GROUP_COUNT } from "../features/features.ts";
import { GROUP_WEIGHTS } from "../features/sparse-vector.ts";
import { sumMeanings } from "../features/text-meaning.ts";
import type { IntentModel } from "../model/intent-model.ts";
import { repairWords } from "../words/spelling.ts";
import { MEANING_DIMENSIONS } from "../words/word-meanings.ts";

/** An example message, and the name of its intent. */
export interface LabelledExample {
  intent: string;
  text: string;
}

/** Signs between words: an example with a question mark is no other example. */
const SIGNS = /[^\p{L}\p{M}\p{N}\s'’]+/gu;

export interface NearestExample extends LabelledExample {
  /** Cosine of the two texts' features, 0–1; 1 where they are the same but for case, marks and repaired words. */
  likeness: number;
}

/** A text as one unit vector: features by their hashes, and what its words mean. */
interface TextVector {
  features: ReadonlyMap<number, number>;
  meaning: Float64Array | undefined;
  length: number;
}

/**
 * The example that is most like a text; of several alike the first. Unlike a score, which passes over what no example holds, likeness
 * counts every word. Undefined where no example has anything in common with the text.
 */
export function findNearestExample(
  model: IntentModel,
  text: string,
  examples: readonly LabelledExample[],
): NearestExample | undefined {
  const read = vectorReader(model);
  const vector = read(text);
  let nearest: NearestExample | undefined;
  for (const example of examples) {
    const likeness = cosine(vector, read(example.text));
    if (likeness > (nearest?.likeness ?? 0)) nearest = { ...example, likeness: Math.min(1, likeness) };
  }
  return nearest;
}

function vectorReader({ vocabulary, lexicon, knowledge }: IntentModel): (text: string) => TextVector {
  const tokens = new TokenBuffer();
  const features = new FeatureBuffer();
  const rarest = vocabulary.idf.reduce((most, idf) => Math.max(most, idf), 1);
  const idfOf = (hash: number) => {
    const row = vocabulary.index.find(hash);
    return row < 0 ? rarest : vocabulary.idf[row]!;
  };
  return (text) => {
    tokens.read(normaliseText(text.replaceAll(SIGNS, " ")));
    repairWords(lexicon, tokens, vocabulary.index, knowledge.meanings);
    features.read(tokens);
    const weights = weighFeatures(features, idfOf);
    const sum = new Float64Array(MEANING_DIMENSIONS);
    const hasMeaning = knowledge.isWeighed && sumMeanings(features, knowledge.meanings, sum);
    const squares = squaresOf(weights.values()) + (hasMeaning ? squaresOf(sum) : 0);
    return { features: weights, meaning: hasMeaning ? sum : undefined, length: Math.sqrt(squares) };
  };
}

/** Weighs as `SparseVector.weigh` does, the features that no example holds like the rarest. */
function weighFeatures(
  { hashes, groupEnds }: FeatureBuffer,
  idfOf: (hash: number) => number,
): Map<number, number> {
  const weights = new Map<number, number>();
  let from = 0;
  for (let group = 0; group < GROUP_COUNT; group++) {
    const counts = new Map<number, number>();
    for (const hash of hashes.subarray(from, groupEnds[group])) counts.set(hash, (counts.get(hash) ?? 0) + 1);
    const own = [...counts].map(([hash, count]) => [hash, (1 + Math.log(count)) * idfOf(hash)] as const);
    const scale = GROUP_WEIGHTS[group]! / Math.sqrt(squaresOf(own.map(([, weight]) => weight)) || 1);
    for (const [hash, weight] of own) weights.set(hash, scale * weight);
    from = groupEnds[group]!;
  }
  return weights;
}

function squaresOf(values: Iterable<number>): number {
  let squares = 0;
  for (const value of values) squares += value * value;
  return squares;
}

function cosine(a: TextVector, b: TextVector): number {
  if (a.length === 0 || b.length === 0) return 0;
  let product = 0;
  for (const [hash, weight] of a.features) product += weight * (b.features.get(hash) ?? 0);
  if (a.meaning && b.meaning) {
    for (let d = 0; d < MEANING_DIMENSIONS; d++) product += a.meaning[d]! * b.meaning[d]!;
  }
  return product / (a.length * b.length);
}
