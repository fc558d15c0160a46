/** A square matrix in row-major order. */
interface SquareMatrix {
  size: number;
  cells: Float64Array;
}

/**
 * Solves matrix × X = Y for a symmetric, positive definite matrix by Cholesky factorisation; only the lower half is read. @param matrix
 * overwritten by its lower factor. @param columns of Y, row by row; overwritten by X. @throws Error if the matrix is not positive definite.
 */
export function solvePositiveDefinite(matrix: SquareMatrix, right: Float64Array, columns: number): void {
  factorise(matrix);
  substituteForwards(matrix, right, columns);
  substituteBackwards(matrix, right, columns);
}

/** The lower factor L of L × Lᵀ, in place; rows are contiguous, so that the inner loop is a dot product. */
function factorise({ size, cells }: SquareMatrix): void {
  for (let i = 0; i < size; i++) {
    for (let j = 0; j <= i; j++) {
      const rest = cells[i * size + j]! - dotOfRows(cells, i * size, j * size, j);
      if (i === j && rest <= 0) throw new Error("the matrix is not positive definite");
      cells[i * size + j] = i === j ? Math.sqrt(rest) : rest / cells[j * size + j]!;
    }
  }
}

/** Dot product of the first `length` cells of two rows; with two accumulators, because a single one would stall on its own additions. */
function dotOfRows(cells: Float64Array, one: number, other: number, length: number): number {
  let [even, odd] = [0, 0];
  const pairs = length - (length % 2);
  for (let k = 0; k < pairs; k += 2) {
    even += cells[one + k]! * cells[other + k]!;
    odd += cells[one + k + 1]! * cells[other + k + 1]!;
  }
  if (pairs < length) even += cells[one + pairs]! * cells[other + pairs]!;
  return even + odd;
}

function substituteForwards({ size, cells }: SquareMatrix, right: Float64Array, columns: number): void {
  for (let i = 0; i < size; i++) {
    for (let j = 0; j < i; j++) addRow(right, i, j, -cells[i * size + j]!, columns);
    scaleRow(right, i, 1 / cells[i * size + i]!, columns);
  }
}

function substituteBackwards({ size, cells }: SquareMatrix, right: Float64Array, columns: number): void {
  for (let i = size - 1; i >= 0; i--) {
    scaleRow(right, i, 1 / cells[i * size + i]!, columns);
    for (let j = 0; j < i; j++) addRow(right, j, i, -cells[i * size + j]!, columns);
  }
}

function addRow(right: Float64Array, to: number, from: number, factor: number, columns: number): void {
  if (factor === 0) return;
  for (let k = 0; k < columns; k++) right[to * columns + k]! += factor * right[from * columns + k]!;
}

function scaleRow(right: Float64Array, row: number, factor: number, columns: number): void {
  for (let k = 0; k < columns; k++) right[row * columns + k]! *= factor;
}
