/** Sparse vectors one after another: the entries of vector i stand from `offsets[i]` to `offsets[i + 1]`. */
export interface SparseRows {
  offsets: Int32Array;
  /** Of each entry, the row of the weight matrix that it is multiplied with. */
  rows: Int32Array;
  values: Float32Array;
}
