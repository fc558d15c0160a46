const JACOBI_SWEEPS = 12;

/** Takes the mean off all of them. */
export function centre(vectors: readonly Float64Array[]): void {
  const mean = meanOf(vectors);
  for (const vector of vectors) mean.forEach((value, d) => (vector[d]! -= value));
}

/** Each in the place of its old vector, on the given axes, with length 1. */
export function turnTo(axes: readonly Float64Array[], vectors: readonly Float64Array[]): Float64Array[] {
  return vectors.map((vector) => unit(Float64Array.from(axes, (axis) => dot(axis, vector))));
}

/** The directions in which the vectors differ most, greatest first: principal components, where the mean is 0. */
export function principalAxes(vectors: readonly Float64Array[]): Float64Array[] {
  return eigenvectors(covariance(vectors));
}

export function dot(one: Float64Array, other: Float64Array): number {
  let sum = 0;
  for (let d = 0; d < one.length; d++) sum += one[d]! * other[d]!;
  return sum;
}

/** The vector in length 1; it stays as it is where it is 0. */
export function unit(vector: Float64Array): Float64Array {
  const length = Math.hypot(...vector) || 1;
  return vector.map((value) => value / length);
}

function meanOf(vectors: readonly Float64Array[]): Float64Array {
  const mean = new Float64Array(vectors[0]!.length);
  for (const vector of vectors) vector.forEach((value, d) => (mean[d]! += value / vectors.length));
  return mean;
}

function covariance(vectors: readonly Float64Array[]): Float64Array[] {
  const size = vectors[0]!.length;
  const rows = Array.from({ length: size }, () => new Float64Array(size));
  for (const vector of vectors) {
    for (let i = 0; i < size; i++) {
      const row = rows[i]!;
      const factor = vector[i]! / vectors.length;
      for (let j = 0; j < size; j++) row[j]! += factor * vector[j]!;
    }
  }
  return rows;
}

/** The eigenvectors of a symmetric matrix, which is overwritten, greatest eigenvalue first: cyclic Jacobi rotations. */
function eigenvectors(matrix: Float64Array[]): Float64Array[] {
  const size = matrix.length;
  const columns = Array.from({ length: size }, (_, i) => new Float64Array(size).fill(1, i, i + 1));
  for (let sweep = 0; sweep < JACOBI_SWEEPS; sweep++) {
    for (let p = 0; p < size; p++) for (let q = p + 1; q < size; q++) rotate(matrix, columns, p, q);
  }
  return columns
    .map((column, i) => ({ column, eigenvalue: matrix[i]![i]! }))
    .toSorted((a, b) => b.eigenvalue - a.eigenvalue)
    .map(({ column }) => column);
}

/** Brings entry (p, q) to 0. */
function rotate(matrix: Float64Array[], columns: Float64Array[], p: number, q: number): void {
  const entry = matrix[p]![q]!;
  if (entry === 0) return;
  const ratio = (matrix[q]![q]! - matrix[p]![p]!) / (2 * entry);
  const tangent = (ratio < 0 ? -1 : 1) / (Math.abs(ratio) + Math.sqrt(ratio * ratio + 1));
  const cosine = 1 / Math.sqrt(tangent * tangent + 1);
  const sine = tangent * cosine;
  for (const row of matrix) {
    const [one, other] = [row[p]!, row[q]!];
    row[p] = cosine * one - sine * other;
    row[q] = sine * one + cosine * other;
  }
  turnRows(matrix[p]!, matrix[q]!, cosine, sine);
  turnRows(columns[p]!, columns[q]!, cosine, sine);
}

function turnRows(one: Float64Array, other: Float64Array, cosine: number, sine: number): void {
  for (let k = 0; k < one.length; k++) {
    const [a, b] = [one[k]!, other[k]!];
    one[k] = cosine * a - sine * b;
    other[k] = sine * a + cosine * b;
  }
}
