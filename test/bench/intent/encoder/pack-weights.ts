import {
  MATRICES,
  MATRIX_PLACES,
  type MatrixPlace,
  PIECE_COUNT,
  VECTOR_PLACES,
  VECTORS,
  WEIGHT_BYTES,
} from "../../../../src/intent/encoder/layout.ts";
import type { OriginalWeights } from "./original.ts";

/** Weights are whole numbers of at most this size. */
const GREATEST_CELL = 127;

/** What the weights are made for. */
export interface Habits {
  /** What is taken from each sentence's vector. */
  mean: Float32Array;
  /** The mean inputs of each product, by its name. */
  inputs: ReadonlyMap<string, Float32Array>;
}

/**
 * The file `weights.bin` as `layout.ts` says. What rounding changes for the mean input is added to the bias, so that only what differs from
 * it suffers (Nagel et al. 2019, bias correction): of the distance to the original, a fifth less, and half of it where a text is mostly
 * unknown.
 */
export function packWeights({ weights, pieces }: OriginalWeights, { mean, inputs }: Habits): Uint8Array {
  if (pieces.length !== PIECE_COUNT) throw new Error(`${pieces.length} pieces, expected ${PIECE_COUNT}`);
  const bytes = new Uint8Array(WEIGHT_BYTES);
  const vectors = new Map(weights);
  vectors.set("mean", mean);
  vectors.set(
    "pieceScores",
    Float32Array.from(pieces, ([, score]) => score ?? 0),
  );
  for (const { name } of MATRICES) {
    const place = MATRIX_PLACES[name];
    const values = ofLength(weights, name, place.rows * place.columns);
    const exact = name === "embedding" ? values : transpose(values, place);
    packMatrix(bytes, exact, place);
    const usual = inputs.get(name);
    const bias = vectors.get(`${name}Bias`);
    if (usual && bias) vectors.set(`${name}Bias`, correctBias(bytes, exact, place, usual, bias));
  }
  for (const { name } of VECTORS) {
    const { at, length } = VECTOR_PLACES[name];
    new Float32Array(bytes.buffer, at, length).set(ofLength(vectors, name, length));
  }
  return bytes;
}

function ofLength(weights: ReadonlyMap<string, Float32Array>, name: string, length: number): Float32Array {
  const values = weights.get(name);
  if (values?.length !== length) throw new Error(`${name} has ${values?.length} numbers, expected ${length}`);
  return values;
}

/** Each row gets the scale at which its greatest number is `GREATEST_CELL`. */
function packMatrix(bytes: Uint8Array, exact: Float32Array, place: MatrixPlace): void {
  const { cells, scales } = viewsOf(bytes, place);
  for (let row = 0; row < place.rows; row++) {
    const numbers = exact.subarray(row * place.columns, (row + 1) * place.columns);
    const greatest = numbers.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
    scales[row] = greatest / GREATEST_CELL || 1;
    cells.set(
      numbers.map((value) => Math.round(value / scales[row]!)),
      row * place.columns,
    );
  }
}

/** The bias, and what the exact rows make of this input more than the rounded ones. */
function correctBias(
  bytes: Uint8Array,
  exact: Float32Array,
  place: MatrixPlace,
  input: Float32Array,
  bias: Float32Array,
): Float32Array {
  const { cells, scales } = viewsOf(bytes, place);
  return bias.map((value, row) => {
    const from = row * place.columns;
    const lost = input.reduce(
      (sum, number, k) => sum + number * (exact[from + k]! - cells[from + k]! * scales[row]!),
      0,
    );
    return value + lost;
  });
}

function viewsOf(
  bytes: Uint8Array,
  { rows, columns, cellsAt, scalesAt }: MatrixPlace,
): { cells: Int8Array; scales: Float32Array } {
  return {
    cells: new Int8Array(bytes.buffer, cellsAt, rows * columns),
    scales: new Float32Array(bytes.buffer, scalesAt, rows),
  };
}

/** From a row for each input to a row for each output. */
function transpose(values: Float32Array, { rows, columns }: MatrixPlace): Float32Array {
  return values.map((_, i) => values[(i % columns) * rows + Math.floor(i / columns)]!);
}
