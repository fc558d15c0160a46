import type { Classification } from "../../domain/decision.ts";
import type { IntentName } from "../../domain/ids.ts";
import { rankIntents } from "../scoring/rank-intents.ts";

/** An example as an embedding server sees it: a vector of length 1, and the number of its intent. */
export interface EmbeddedExample {
  intent: number;
  vector: Float32Array;
}

/** A bot's examples, and how near messages of its kind are to each other. */
export interface EmbeddingIndex {
  examples: readonly EmbeddedExample[];
  /** Cosine at which a message is no nearer to its best intent than to others. */
  far: number;
  /** Cosine that an example of an intent usually has to the next one of the same intent. */
  near: number;
}

// No embedding model comes with Parley, so that no script prints these numbers: they were chosen by hand.
/** Examples that are compared with all others to calibrate an index: enough for a median. */
const SAMPLE = 100;
/** Cosines this far apart differ by a factor of e in odds. */
const SPREAD = 0.05;
/** The embedding's share in a fused confidence: the greater one, as it knows words that no example has. */
const SHARE = 0.65;

/** Calibrates a bot's examples by each other, as what is near differs from one embedding model to the next. */
export function indexEmbeddings(examples: readonly EmbeddedExample[]): EmbeddingIndex {
  const step = Math.max(1, Math.floor(examples.length / SAMPLE));
  const sample = examples.filter((_, index) => index % step === 0);
  const nearest = (example: EmbeddedExample, isSame: boolean) =>
    examples
      .filter((other) => other !== example && (other.intent === example.intent) === isSame)
      .reduce((best, other) => Math.max(best, cosine(example.vector, other.vector)), -1);
  const far = median(sample.map((example) => nearest(example, false)));
  const near = median(sample.map((example) => nearest(example, true)));
  return { examples, far, near: Math.max(near, far + SPREAD) };
}

/**
 * Joins what the classifier and an embedding server say about a message.
 * @param intents in the classifier's order.
 * @param vector the message's embedding, of length 1.
 */
export function fuseEmbedding(
  classification: Classification,
  intents: readonly IntentName[],
  { examples, far, near }: EmbeddingIndex,
  vector: Float32Array,
): Classification {
  const cosines = new Float32Array(intents.length).fill(-1);
  for (const example of examples) {
    cosines[example.intent] = Math.max(cosines[example.intent]!, cosine(example.vector, vector));
  }
  const best = cosines.reduce((most, value) => Math.max(most, value), -1);
  const nearness = Math.min(1, Math.max(0, (best - far) / (near - far)));
  const odds = cosines.map((value) => Math.exp((value - best) / SPREAD));
  const total = odds.reduce((sum, value) => sum + value, 0);
  const confidences = classification.confidences.map(
    (confidence, index) => (1 - SHARE) * confidence + (SHARE * nearness * odds[index]!) / total,
  );
  return withConfidences(confidences, intents, (1 - SHARE) * classification.inScope + SHARE * nearness);
}

/** A classification with these confidences, in the order of `intents`. */
export function withConfidences(
  confidences: Float32Array,
  intents: readonly IntentName[],
  inScope: number,
): Classification {
  const scores = rankIntents(confidences, intents);
  return { scores, confidences, inScope, confidence: scores[0]?.confidence ?? 0 };
}

/** The vector of length 1 in the same direction; of length 0 where the vector is. */
export function unitVector(vector: readonly number[]): Float32Array {
  const length = Math.hypot(...vector);
  return Float32Array.from(vector, (value) => (length === 0 ? 0 : value / length));
}

function cosine(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let index = 0; index < a.length; index += 1) sum += a[index]! * (b[index] ?? 0);
  return sum;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
