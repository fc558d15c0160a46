/** Columns of a kernel matrix are padded with zeros to a multiple of this, so that kernels need no remainder loop. */
const COLUMN_MULTIPLE = 16;

/** A row-major matrix in an arena; `columns` is a multiple of `COLUMN_MULTIPLE`. */
export interface KernelMatrix {
  cells: Float32Array;
  columns: number;
}

/** The inner loops of training. All arrays must come from the same arena. */
export interface Kernels {
  /** out += Σ values[i] · matrix[rows[i]] for i from `from` up to `to`. */
  gather(
    matrix: KernelMatrix,
    rows: Int32Array,
    values: Float32Array,
    from: number,
    to: number,
    out: Float32Array,
  ): void;
  /** matrix[rows[i]] += values[i - from] · direction for i from `from` up to `to`. */
  scatter(
    matrix: KernelMatrix,
    rows: Int32Array,
    from: number,
    to: number,
    values: Float32Array,
    direction: Float32Array,
  ): void;
  /** out[r] = matrix[r] · vector for the first `count` rows. */
  dots(matrix: KernelMatrix, count: number, vector: Float32Array, out: Float32Array): void;
}

/** Memory that kernels can read, with the kernels. */
export interface Arena {
  kernels: Kernels;
  floats(length: number): Float32Array;
  ints(length: number): Int32Array;
}

/** The number of columns including padding. */
export function paddedColumns(columns: number): number {
  return Math.max(1, Math.ceil(columns / COLUMN_MULTIPLE)) * COLUMN_MULTIPLE;
}

/** The kernels as plain loops over any arrays. */
export const PLAIN_KERNELS: Kernels = {
  gather({ cells, columns }, rows, values, from, to, out) {
    for (let i = from; i < to; i++) {
      const value = values[i]!;
      const row = rows[i]! * columns;
      for (let k = 0; k < columns; k++) out[k]! += value * cells[row + k]!;
    }
  },
  scatter({ cells, columns }, rows, from, to, values, direction) {
    for (let i = from; i < to; i++) {
      const value = values[i - from]!;
      const row = rows[i]! * columns;
      for (let k = 0; k < columns; k++) cells[row + k]! += value * direction[k]!;
    }
  },
  dots({ cells, columns }, count, vector, out) {
    for (let r = 0; r < count; r++) {
      let sum = 0;
      for (let k = 0; k < columns; k++) sum += cells[r * columns + k]! * vector[k]!;
      out[r] = sum;
    }
  },
};

/** Ordinary memory, with plain loops. */
export const PLAIN_ARENA: Arena = {
  kernels: PLAIN_KERNELS,
  floats: (length) => new Float32Array(length),
  ints: (length) => new Int32Array(length),
};
