/** A matrix of whole numbers −127…127, with one scale per row: entry = scale · number. */
export interface QuantisedMatrix {
  cells: Int8Array;
  scales: Float32Array;
}

/** Rounds a row-major matrix to 8 bits; the greatest error is 1/254 of a row's greatest entry. */
export function quantiseRows(matrix: Float32Array, columns: number): QuantisedMatrix {
  const rowCount = matrix.length / columns;
  const cells = new Int8Array(matrix.length);
  const scales = new Float32Array(rowCount);
  for (let row = 0; row < rowCount; row++) {
    const from = row * columns;
    let greatest = 0;
    for (let i = from; i < from + columns; i++) greatest = Math.max(greatest, Math.abs(matrix[i]!));
    if (greatest === 0) continue;
    scales[row] = greatest / 127;
    const factor = 127 / greatest;
    for (let i = from; i < from + columns; i++) cells[i] = Math.round(matrix[i]! * factor);
  }
  return { cells, scales };
}
