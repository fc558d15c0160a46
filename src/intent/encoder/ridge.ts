import { nearnessOf } from "../../text/nearness.ts";
import { packSections, SectionReader } from "../model/model-format.ts";
import { solvePositiveDefinite } from "./cholesky.ts";
import { dotOfRow, type QuantisedRows, quantiseVectors, vectorOfRow } from "./quantised-rows.ts";

/**
 * Sharpness of the kernel k(a, b) = exp(6 (a·b − 1)) for vectors with an L2 norm of 1. With 2, the best sum separates near-domain messages
 * with an AUROC of 0.74 instead of 0.87, on fourteen bots that the encoder has not seen; 4 to 8 give the same.
 */
const KERNEL_SHARPNESS = 6;
/** Regularisation. A text is regularised more if its intent has more texts than others, or if its own weight is lower. */
const RIDGE = 0.3;
/** Largest absolute value of a quantised weight. */
const GREATEST_WEIGHT = 32_767;

/** Scores of a message by intent. */
export interface RidgeScores {
  /** Weighted sums of kernels: near 1 for a text of the intent, near 0 for unrelated texts. */
  sums: Float64Array;
  /** Cosine to the intent's nearest text; −1 if it has no encoded text. */
  cosines: Float32Array;
}

/** A text about an intent. */
export interface RidgeText {
  /** Number of its intent. */
  intent: number;
  /** With an L2 norm of 1. */
  vector: Float32Array;
  /** Weight relative to an example (1). */
  weight: number;
}

/** A kernel ridge regression model in its stored form. */
export interface RidgeModel {
  intentCount: number;
  /** The intent of each text. */
  intents: Uint16Array;
  vectors: QuantisedRows;
  /** One row per text, one column per intent: the weight of the kernel with that text for the intent, times `weightScale`. */
  weights: Int16Array;
  weightScale: number;
}

/** Kernel ridge regression from texts' vectors to intents, in closed form; 15 ms for 100 texts, 0.4 s for 900. */
export function trainRidge(texts: readonly RidgeText[], intentCount: number): RidgeModel {
  const rows = quantiseVectors(texts.map(({ vector }) => vector));
  const intents = Uint16Array.from(texts, ({ intent }) => intent);
  const size = texts.length;
  const cells = kernelMatrix(rows, size);
  const right = new Float64Array(size * intentCount);
  const ridges = ridgeByIntent(intents, intentCount);
  texts.forEach(({ intent, weight }, i) => {
    cells[i * size + i]! += ridges[intent]! / weight;
    right[i * intentCount + intent] = 1;
  });
  solvePositiveDefinite({ size, cells }, right, intentCount);
  return { intentCount, intents, vectors: rows, ...quantiseWeights(right) };
}

/** The lower half. */
function kernelMatrix(rows: QuantisedRows, size: number): Float64Array {
  const cells = new Float64Array(size * size);
  for (let i = 0; i < size; i++) {
    const vector = vectorOfRow(rows, i);
    for (let j = 0; j <= i; j++) cells[i * size + j] = kernel(dotOfRow(rows, j, vector));
  }
  return cells;
}

function kernel(cosine: number): number {
  return Math.exp(KERNEL_SHARPNESS * (cosine - 1));
}

function ridgeByIntent(intents: ArrayLike<number>, intentCount: number): Float64Array {
  const counts = new Float64Array(intentCount);
  for (let i = 0; i < intents.length; i++) counts[intents[i]!]!++;
  const mean = intents.length / counts.filter((count) => count > 0).length;
  return counts.map((count) => (RIDGE * count) / mean);
}

function quantiseWeights(exact: Float64Array): Pick<RidgeModel, "weights" | "weightScale"> {
  const greatest = exact.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  const weightScale = greatest / GREATEST_WEIGHT || 1;
  return { weights: Int16Array.from(exact, (value) => Math.round(value / weightScale)), weightScale };
}

/** @param vector with an L2 norm of 1, from the same encoder as the texts' vectors. */
export function scoreByRidge(model: RidgeModel, vector: Float32Array): RidgeScores {
  const { intentCount, intents, vectors, weights, weightScale } = model;
  const sums = new Float64Array(intentCount);
  const cosines = new Float32Array(intentCount).fill(-1);
  for (let i = 0; i < intents.length; i++) {
    const cosine = dotOfRow(vectors, i, vector);
    const intent = intents[i]!;
    cosines[intent] = Math.max(cosine, cosines[intent]!);
    const factor = kernel(cosine) * weightScale;
    for (let k = 0; k < intentCount; k++) sums[k]! += factor * weights[i * intentCount + k]!;
  }
  return { sums, cosines };
}

/**
 * Nearness of a message to the texts of each intent; see `nearnessOf`. @param vector with an L2 norm of 1, from the same encoder as the
 * texts' vectors.
 */
export function nearnessByIntent(
  { intentCount, intents, vectors }: RidgeModel,
  vector: Float32Array,
): number[] {
  const cosines = Array.from({ length: intentCount }, (): number[] => []);
  for (let i = 0; i < intents.length; i++) cosines[intents[i]!]!.push(dotOfRow(vectors, i, vector));
  return cosines.map(nearnessOf);
}

/** Serialises the model for `unpackRidge`: less than half a kilobyte per text, plus two bytes per text and intent. */
export function packRidge(model: RidgeModel): Uint8Array<ArrayBuffer> {
  const { intentCount, intents, vectors, weights, weightScale } = model;
  return packSections([
    Float64Array.of(intentCount, weightScale),
    vectors.scales,
    intents,
    weights,
    vectors.cells,
  ]);
}

/**
 * Reads the bytes of `packRidge`. The arrays are views of them, so they must not change afterwards. @throws Error if the bytes are no such
 * model, or one of another version.
 */
export function unpackRidge(bytes: Uint8Array): RidgeModel {
  const sections = new SectionReader(bytes);
  const [intentCount, weightScale] = sections.read(Float64Array) as unknown as [number, number];
  const scales = sections.read(Float32Array);
  const intents = sections.read(Uint16Array);
  const weights = sections.read(Int16Array);
  const cells = sections.read(Int8Array);
  const isWhole = weights.length === intents.length * intentCount && scales.length === intents.length;
  if (!isWhole || cells.length % Math.max(1, scales.length) !== 0) {
    throw new Error("not a ridge model");
  }
  return { intentCount, intents, vectors: { scales, cells }, weights, weightScale };
}
