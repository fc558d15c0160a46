import { normaliseText } from "../../text/normalise.ts";
import { TokenBuffer } from "../../text/tokenise.ts";
import { FeatureBuffer } from "../features/features.ts";
import { SparseVector } from "../features/sparse-vector.ts";
import type { IntentModel } from "../model/intent-model.ts";
import { repairWords } from "../words/spelling.ts";

/** An example with the name of its intent. */
export interface LabelledExample {
  intent: string;
  text: string;
}

/** Signs between words are ignored, so that "x?" and "x" are the same example. */
const SIGNS = /[^\p{L}\p{M}\p{N}\s'’]+/gu;

export interface NearestExample extends LabelledExample {
  /** Cosine of the two texts' features, 0–1; 1 if they differ only in case, punctuation and corrected words. */
  likeness: number;
}

/** Cosines are rounded to a millionth before they are compared. */
const ROUNDED_TO = 1e6;

/**
 * The most similar example; of equal ones the first. Unlike a score, the similarity includes words that no example has. Undefined if no
 * example shares a feature with the text.
 */
export function findNearestExample(
  model: IntentModel,
  text: string,
  examples: readonly LabelledExample[],
): NearestExample | undefined {
  const vectorAt = readVectors(model, [text, ...examples.map((example) => example.text)]);
  const { rows, values, length } = vectorAt(0);
  const asked = new Map(Array.from({ length }, (_, i) => [rows[i]!, values[i]!]));
  let nearest: NearestExample | undefined;
  for (const [i, example] of examples.entries()) {
    const likeness = productWith(asked, vectorAt(i + 1));
    if (likeness > (nearest?.likeness ?? 0)) nearest = { ...example, likeness: rounded(likeness) };
  }
  return nearest;
}

/** The texts as vectors with an L2 norm of 1; each vector is overwritten by the next. Features without an example get the highest idf. */
function readVectors(
  { vocabulary, lexicon }: IntentModel,
  texts: readonly string[],
): (text: number) => SparseVector {
  const rows = new Map<number, number>();
  const find = (hash: number) => {
    if (!rows.has(hash)) rows.set(hash, rows.size);
    return rows.get(hash)!;
  };
  const [tokens, features, vector] = [new TokenBuffer(), new FeatureBuffer(), new SparseVector()];
  const counted = texts.map((text) => {
    tokens.read(normaliseText(text.replaceAll(SIGNS, " ")));
    repairWords(lexicon, tokens, vocabulary.index);
    features.read(tokens);
    vector.count(features, { find });
    return vector.counted();
  });
  const rarest = vocabulary.idf.reduce((most, idf) => Math.max(most, idf), 1);
  const idf = Float32Array.from(rows.keys(), (hash) => vocabulary.idf[vocabulary.index.find(hash)] ?? rarest);
  const sameRows = Int32Array.from(rows.values());
  return (text) => {
    vector.take(counted[text]!, sameRows);
    vector.weigh(idf);
    return vector;
  };
}

function productWith(asked: ReadonlyMap<number, number>, { rows, values, length }: SparseVector): number {
  let product = 0;
  for (let i = 0; i < length; i++) product += values[i]! * (asked.get(rows[i]!) ?? 0);
  return product;
}

/** Rounded, so that identical texts have exactly 1. */
function rounded(likeness: number): number {
  return Math.min(1, Math.round(likeness * ROUNDED_TO) / ROUNDED_TO);
}
