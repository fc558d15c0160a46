/**
 * What stands where in `weights.bin`: the rows of all matrices as whole numbers of a byte, then the scales of their rows, then all other
 * vectors, in the order of these lists. The make script writes by them, and the encoder reads by them.
 */

/** Of the sentence's vector, and of what stands for each piece within the network. */
export const SENTENCE_WIDTH = 512;
/** Numbers of a piece before the network. */
export const PIECE_WIDTH = 256;
/** Within a feed-forward step. */
const INNER_WIDTH = 1536;
/** Pieces that have a score; the embedding has two rows more, which no text reaches. */
export const PIECE_COUNT = 8000;
/** Longer texts are cut there, as in the original. `kernel.c` counts on it. */
export const MOST_PIECES = 128;

/** A row for each output, a column for each input; those of the embedding: for each piece, its numbers. */
export const MATRICES = [
  { name: "embedding", rows: PIECE_COUNT + 2, columns: PIECE_WIDTH },
  { name: "widen", rows: SENTENCE_WIDTH, columns: PIECE_WIDTH },
  { name: "attention0", rows: 3 * PIECE_WIDTH, columns: PIECE_WIDTH },
  { name: "merge0", rows: SENTENCE_WIDTH, columns: PIECE_WIDTH },
  { name: "inner0", rows: INNER_WIDTH, columns: SENTENCE_WIDTH },
  { name: "outer0", rows: SENTENCE_WIDTH, columns: INNER_WIDTH },
  { name: "attention1", rows: 3 * SENTENCE_WIDTH, columns: SENTENCE_WIDTH },
  { name: "merge1", rows: SENTENCE_WIDTH, columns: SENTENCE_WIDTH },
  { name: "inner1", rows: INNER_WIDTH, columns: SENTENCE_WIDTH },
  { name: "outer1", rows: SENTENCE_WIDTH, columns: INNER_WIDTH },
  { name: "final", rows: SENTENCE_WIDTH, columns: SENTENCE_WIDTH },
] as const;

export const VECTORS = [
  { name: "frequencies", length: PIECE_WIDTH / 2 },
  { name: "widenBias", length: SENTENCE_WIDTH },
  { name: "attention0Scale", length: PIECE_WIDTH },
  { name: "attention0Shift", length: PIECE_WIDTH },
  { name: "attention0Bias", length: 3 * PIECE_WIDTH },
  { name: "merge0Bias", length: SENTENCE_WIDTH },
  { name: "inner0Scale", length: SENTENCE_WIDTH },
  { name: "inner0Shift", length: SENTENCE_WIDTH },
  { name: "inner0Bias", length: INNER_WIDTH },
  { name: "outer0Bias", length: SENTENCE_WIDTH },
  { name: "attention1Scale", length: SENTENCE_WIDTH },
  { name: "attention1Shift", length: SENTENCE_WIDTH },
  { name: "attention1Bias", length: 3 * SENTENCE_WIDTH },
  { name: "merge1Bias", length: SENTENCE_WIDTH },
  { name: "inner1Scale", length: SENTENCE_WIDTH },
  { name: "inner1Shift", length: SENTENCE_WIDTH },
  { name: "inner1Bias", length: INNER_WIDTH },
  { name: "outer1Bias", length: SENTENCE_WIDTH },
  { name: "finalBias", length: SENTENCE_WIDTH },
  { name: "mean", length: SENTENCE_WIDTH },
  { name: "pieceScores", length: PIECE_COUNT },
] as const;

export type MatrixName = (typeof MATRICES)[number]["name"];
export type VectorName = (typeof VECTORS)[number]["name"];

/** Addresses are counted in bytes from the beginning of the file. */
export interface MatrixPlace {
  rows: number;
  columns: number;
  cellsAt: number;
  scalesAt: number;
}

interface VectorPlace {
  length: number;
  at: number;
}

const FLOAT_BYTES = 4;
const CELL_BYTES = MATRICES.reduce((sum, { rows, columns }) => sum + rows * columns, 0);
const SCALE_BYTES = MATRICES.reduce((sum, { rows }) => sum + FLOAT_BYTES * rows, 0);
const VECTOR_BYTES = VECTORS.reduce((sum, { length }) => sum + FLOAT_BYTES * length, 0);

/** Of the whole file. */
export const WEIGHT_BYTES = CELL_BYTES + SCALE_BYTES + VECTOR_BYTES;
export const MATRIX_PLACES = placeMatrices();
export const VECTOR_PLACES = placeVectors();

function placeMatrices(): Record<MatrixName, MatrixPlace> {
  const places: Partial<Record<MatrixName, MatrixPlace>> = {};
  let [cellsAt, scalesAt] = [0, CELL_BYTES];
  for (const { name, rows, columns } of MATRICES) {
    places[name] = { rows, columns, cellsAt, scalesAt };
    cellsAt += rows * columns;
    scalesAt += FLOAT_BYTES * rows;
  }
  return places as Record<MatrixName, MatrixPlace>;
}

function placeVectors(): Record<VectorName, VectorPlace> {
  const places: Partial<Record<VectorName, VectorPlace>> = {};
  let at = CELL_BYTES + SCALE_BYTES;
  for (const { name, length } of VECTORS) {
    places[name] = { length, at };
    at += FLOAT_BYTES * length;
  }
  return places as Record<VectorName, VectorPlace>;
}
