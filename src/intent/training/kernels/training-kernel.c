/*
 * The inner loops of training, for WebAssembly with 128-bit SIMD (no relaxed instructions). kernels.ts says what each
 * one does. test/bench/intent/encoder/make-kernel.ts makes training-kernel.wasm of it.
 *
 * Rows are floats; `columns` is a multiple of 16, so that no loop has a remainder.
 */
#include <wasm_simd128.h>

#define EXPORT(name) __attribute__((export_name(name)))
#define INLINE static inline __attribute__((always_inline))
/* Numbers of a lane, and lanes of a wide and of a narrow block. A wide one keeps its sums in registers, of which there are 16. */
#define LANE 4
#define WIDE 8
#define NARROW 4

INLINE void gather_block(const float *matrix, int columns, const int *rows, const int *rows_end, const float *values,
                         float *out, int lanes) {
  v128_t sums[WIDE];
  for (int l = 0; l < lanes; l++) sums[l] = wasm_v128_load(out + LANE * l);
  for (; rows < rows_end; rows++, values++) {
    const float *row = matrix + *rows * columns;
    v128_t factor = wasm_v128_load32_splat(values);
    for (int l = 0; l < lanes; l++)
      sums[l] = wasm_f32x4_add(sums[l], wasm_f32x4_mul(wasm_v128_load(row + LANE * l), factor));
  }
  for (int l = 0; l < lanes; l++) wasm_v128_store(out + LANE * l, sums[l]);
}

/* Goes over the columns in blocks, and for each block over all rows. */
EXPORT("gather")
void gather(const float *matrix, int columns, const int *rows, const int *rows_end, const float *values, float *out) {
  int column = 0;
  for (; column + WIDE * LANE <= columns; column += WIDE * LANE)
    gather_block(matrix + column, columns, rows, rows_end, values, out + column, WIDE);
  for (; column < columns; column += NARROW * LANE)
    gather_block(matrix + column, columns, rows, rows_end, values, out + column, NARROW);
}

EXPORT("scatter")
void scatter(float *matrix, int columns, const int *rows, const int *rows_end, const float *values,
             const float *direction) {
  for (; rows < rows_end; rows++, values++) {
    float *row = matrix + *rows * columns;
    v128_t factor = wasm_v128_load32_splat(values);
    for (int k = 0; k < columns; k += LANE)
      wasm_v128_store(
          row + k, wasm_f32x4_add(wasm_v128_load(row + k), wasm_f32x4_mul(wasm_v128_load(direction + k), factor)));
  }
}

EXPORT("dots")
void dots(const float *matrix, int columns, const float *vector, float *out, const float *out_end) {
  for (; out < out_end; out++, matrix += columns) {
    v128_t sums[NARROW] = {0};
    for (int k = 0; k < columns; k += NARROW * LANE)
      for (int l = 0; l < NARROW; l++)
        sums[l] = wasm_f32x4_add(sums[l], wasm_f32x4_mul(wasm_v128_load(matrix + k + LANE * l),
                                                         wasm_v128_load(vector + k + LANE * l)));
    v128_t sum = wasm_f32x4_add(wasm_f32x4_add(wasm_f32x4_add(sums[0], sums[1]), sums[2]), sums[3]);
    *out = wasm_f32x4_extract_lane(sum, 0) + wasm_f32x4_extract_lane(sum, 1) + wasm_f32x4_extract_lane(sum, 2) +
           wasm_f32x4_extract_lane(sum, 3);
  }
}
