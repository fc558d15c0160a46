import { type Classification } from "../../domain/decision.ts";
import { type IntentName } from "../../domain/ids.ts";
import { rankIntents } from "../scoring/rank-intents.ts";

/** An example as an embedding server sees it: a vector of length 1, and the number of its intent. */
export interface EmbeddedExample {
  intent: number;
  vector: Float32Array;
}

/** A bot's embedded examples, with the cosines that are typical of its embedding model. */
export interface EmbeddingIndex {
  examples: readonly EmbeddedExample[];
  /** Cosine at which a message is no closer to its best intent than to others. */
  far: number;
  /** Typical cosine between an example and the nearest one of the same intent. */
  near: number;
}

// Parley includes no embedding model, so no script prints these constants; they were chosen by hand.
/** Examples that are compared with all others to calibrate an index: enough for a median. */
const SAMPLE = 100;
/** Difference of cosines that changes the odds by a factor of e. */
const SPREAD = 0.05;
/** Weight of the embedding in a fused confidence. It is the greater one, because the embedding knows words that no example has. */
const SHARE = 0.65;

/** Calibrates by comparing the bot's examples with each other, because typical cosines differ between embedding models. */
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
 * Combines the results of the classifier and an embedding server. @param intents in the classifier's order. @param vector the message's
 * embedding, with an L2 norm of 1.
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

/** The vector with an L2 norm of 1 in the same direction; a zero vector stays. */
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

/** Distance from the threshold to which a judge's choice moves the in-scope probability; greater than rounding errors. */
const MARGIN = 0.001;
/** Minimum share of that probability for the chosen intent; more than `isMatch` requires. */
const CHOSEN_SHARE = 0.9;

/**
 * The classification after asking a judge, which is a model server. @param chosen the intent it chose, which then matches and is the best;
 * null if it chose none, so that nothing matches.
 */
export function applyJudgement(
  { confidences, inScope }: Classification,
  intents: readonly IntentName[],
  chosen: IntentName | null,
  matchThreshold: number,
): Classification {
  const at = intents.findIndex((intent) => intent === chosen);
  if (at < 0) {
    const lowered = Math.max(0, Math.min(inScope, matchThreshold - MARGIN));
    return withConfidences(scaled(confidences, lowered), intents, lowered);
  }
  const raised = Math.min(1, Math.max(inScope, matchThreshold + MARGIN));
  const best = Math.max(confidences[at]!, raised * CHOSEN_SHARE);
  // Rounded to 32 bits, the best value may slightly exceed `raised`.
  const others = scaled(confidences.with(at, 0), Math.max(0, raised - best));
  return withConfidences(others.with(at, best), intents, raised);
}

/** The same proportions with a sum of at most `most`. */
function scaled(confidences: Float32Array, most: number): Float32Array {
  const sum = confidences.reduce((total, confidence) => total + confidence, 0);
  return sum <= most ? confidences : confidences.map((confidence) => (confidence * most) / sum);
}
