/*
 * The inner loops of the encoder, for WebAssembly with 128-bit SIMD (no relaxed instructions).
 * test/bench/intent/encoder/make-kernel.ts makes transformer.wasm of it.
 *
 * A matrix has one row of int8 weights and one float scale for each output. Activations are rows of floats, one row
 * for each piece of the text; before a product they are rounded to 14 bits, sign included, with one scale a row.
 * Widths are multiples of 16, so that no loop has a remainder; pieces may be any number up to MOST_PIECES.
 */
#include <wasm_simd128.h>

#define EXPORT(name) __attribute__((export_name(name)))
#define INLINE static inline __attribute__((always_inline))

/* As in transformer.ts. A multiple of 4. */
#define MOST_PIECES 128
/* 127 * 8191 * 1536 < 2^31: the widest row's products fit into 32 bits. */
#define GREATEST_ACTIVATION 8191.0f
#define SMALLEST_DIVISOR 1e-20f
#define LEAST_FLOAT -3e38f
/* Pieces whose products with two rows of weights are kept in registers, of which there are 16. */
#define TILE 6

INLINE float sum_floats(v128_t v) {
  v = wasm_f32x4_add(v, wasm_i32x4_shuffle(v, v, 2, 3, 0, 1));
  v = wasm_f32x4_add(v, wasm_i32x4_shuffle(v, v, 1, 0, 3, 2));
  return wasm_f32x4_extract_lane(v, 0);
}

INLINE int sum_ints(v128_t v) {
  v = wasm_i32x4_add(v, wasm_i32x4_shuffle(v, v, 2, 3, 0, 1));
  v = wasm_i32x4_add(v, wasm_i32x4_shuffle(v, v, 1, 0, 3, 2));
  return wasm_i32x4_extract_lane(v, 0);
}

INLINE float greatest_float(v128_t v) {
  v = wasm_f32x4_pmax(v, wasm_i32x4_shuffle(v, v, 2, 3, 0, 1));
  v = wasm_f32x4_pmax(v, wasm_i32x4_shuffle(v, v, 1, 0, 3, 2));
  return wasm_f32x4_extract_lane(v, 0);
}

/* Products of `count` pieces with two rows of weights. `count` is a constant at each call, so that the sums are registers. */
INLINE void multiply_tile(const int count, const short *inputs, const float *input_scales, int depth,
                          const signed char *weights, const float *weight_scales, const float *biases,
                          float *outputs, int width, int add) {
  v128_t first[TILE], second[TILE];
  for (int t = 0; t < count; t++) first[t] = second[t] = wasm_i32x4_const_splat(0);
  for (int k = 0; k < depth; k += 8) {
    v128_t row0 = wasm_i16x8_load8x8(weights + k);
    v128_t row1 = wasm_i16x8_load8x8(weights + depth + k);
    for (int t = 0; t < count; t++) {
      v128_t input = wasm_v128_load(inputs + t * depth + k);
      first[t] = wasm_i32x4_add(first[t], wasm_i32x4_dot_i16x8(row0, input));
      second[t] = wasm_i32x4_add(second[t], wasm_i32x4_dot_i16x8(row1, input));
    }
  }
  for (int t = 0; t < count; t++) {
    float *output = outputs + t * width;
    float one = sum_ints(first[t]) * input_scales[t] * weight_scales[0] + biases[0];
    float other = sum_ints(second[t]) * input_scales[t] * weight_scales[1] + biases[1];
    output[0] = add ? output[0] + one : one;
    output[1] = add ? output[1] + other : other;
  }
}

/* outputs = inputs * weights + biases, or that added to the outputs. `depth` numbers a piece come in, `width` go out. */
EXPORT("multiply")
void multiply(const short *inputs, const float *input_scales, int pieces, int depth, const signed char *weights,
              const float *weight_scales, const float *biases, int width, float *outputs, int add) {
  int tiles = (pieces + TILE - 1) / TILE;
  for (int n = 0; n < width; n += 2) {
    const signed char *rows = weights + n * depth;
    for (int tile = 0; tile < tiles; tile++) {
      /* Tiles are alike, as small ones are slow. */
      int t = pieces * tile / tiles, count = pieces * (tile + 1) / tiles - t;
      const short *from = inputs + t * depth;
      float *to = outputs + t * width + n;
#define MULTIPLY(count) \
  multiply_tile(count, from, input_scales + t, depth, rows, weight_scales + n, biases + n, to, width, add)
      switch (count) {
        case 1: MULTIPLY(1); break;
        case 2: MULTIPLY(2); break;
        case 3: MULTIPLY(3); break;
        case 4: MULTIPLY(4); break;
        case 5: MULTIPLY(5); break;
        default: MULTIPLY(TILE);
      }
#undef MULTIPLY
    }
  }
}

/* Rounds rows of floats to whole numbers of at most GREATEST_ACTIVATION. */
EXPORT("quantise")
void quantise(const float *inputs, int pieces, int width, short *outputs, float *scales) {
  for (int t = 0; t < pieces; t++) {
    const float *row = inputs + t * width;
    v128_t extremes = wasm_f32x4_const_splat(SMALLEST_DIVISOR);
    for (int k = 0; k < width; k += 4) extremes = wasm_f32x4_pmax(extremes, wasm_f32x4_abs(wasm_v128_load(row + k)));
    float extreme = greatest_float(extremes);
    scales[t] = extreme / GREATEST_ACTIVATION;
    v128_t factor = wasm_f32x4_splat(GREATEST_ACTIVATION / extreme);
    for (int k = 0; k < width; k += 8) {
      v128_t low = wasm_f32x4_mul(factor, wasm_v128_load(row + k));
      v128_t high = wasm_f32x4_mul(factor, wasm_v128_load(row + k + 4));
      v128_t rounded = wasm_i16x8_narrow_i32x4(wasm_i32x4_trunc_sat_f32x4(wasm_f32x4_nearest(low)),
                                               wasm_i32x4_trunc_sat_f32x4(wasm_f32x4_nearest(high)));
      wasm_v128_store(outputs + t * width + k, rounded);
    }
  }
}

/* Layer normalisation in place: each row with mean 0 and variance 1, times scales, plus biases. */
EXPORT("normalise")
void normalise(float *rows, int pieces, int width, const float *scales, const float *biases, float epsilon) {
  for (int t = 0; t < pieces; t++) {
    float *row = rows + t * width;
    v128_t sum = wasm_f32x4_const_splat(0), squares = sum;
    for (int d = 0; d < width; d += 4) sum = wasm_f32x4_add(sum, wasm_v128_load(row + d));
    v128_t mean = wasm_f32x4_splat(sum_floats(sum) / width);
    for (int d = 0; d < width; d += 4) {
      v128_t deviation = wasm_f32x4_sub(wasm_v128_load(row + d), mean);
      squares = wasm_f32x4_add(squares, wasm_f32x4_mul(deviation, deviation));
    }
    v128_t factor = wasm_f32x4_splat(1.0f / __builtin_sqrtf(sum_floats(squares) / width + epsilon));
    for (int d = 0; d < width; d += 4) {
      v128_t unit = wasm_f32x4_mul(wasm_f32x4_sub(wasm_v128_load(row + d), mean), factor);
      v128_t scaled = wasm_f32x4_mul(unit, wasm_v128_load(scales + d));
      wasm_v128_store(row + d, wasm_f32x4_add(scaled, wasm_v128_load(biases + d)));
    }
  }
}

/* e^x for x <= 0: the nearest power of two, times the Taylor polynomial of 2^f for |f| <= 0.5; relative error below 3e-6. */
INLINE v128_t exponential(v128_t x) {
  v128_t power = wasm_f32x4_mul(wasm_f32x4_max(x, wasm_f32x4_const_splat(-80.0f)), wasm_f32x4_const_splat(1.44269504f));
  v128_t whole = wasm_f32x4_nearest(power), f = wasm_f32x4_sub(power, whole);
  v128_t polynomial = wasm_f32x4_const_splat(0.00133336f);
#define TERM(coefficient) \
  polynomial = wasm_f32x4_add(wasm_f32x4_mul(polynomial, f), wasm_f32x4_const_splat(coefficient))
  TERM(0.00961813f);
  TERM(0.05550411f);
  TERM(0.24022651f);
  TERM(0.69314718f);
  TERM(1.0f);
#undef TERM
  v128_t exponent = wasm_i32x4_add(wasm_i32x4_trunc_sat_f32x4(whole), wasm_i32x4_const_splat(127));
  return wasm_f32x4_mul(polynomial, wasm_i32x4_shl(exponent, 23));
}

/* x (1 + erf(x / sqrt 2)) / 2, in place; erf by Abramowitz and Stegun 7.1.26, whose error is below 1.5e-7. */
EXPORT("gelu")
void gelu(float *values, int count) {
  for (int i = 0; i < count; i += 4) {
    v128_t x = wasm_v128_load(values + i);
    v128_t z = wasm_f32x4_mul(wasm_f32x4_abs(x), wasm_f32x4_const_splat(0.70710678f));
    v128_t one = wasm_f32x4_const_splat(1.0f);
    v128_t t = wasm_f32x4_div(one, wasm_f32x4_add(one, wasm_f32x4_mul(z, wasm_f32x4_const_splat(0.3275911f))));
    v128_t sum = wasm_f32x4_const_splat(1.061405429f);
#define TERM(coefficient) sum = wasm_f32x4_add(wasm_f32x4_mul(sum, t), wasm_f32x4_const_splat(coefficient))
    TERM(-1.453152027f);
    TERM(1.421413741f);
    TERM(-0.284496736f);
    TERM(0.254829592f);
#undef TERM
    v128_t rest = wasm_f32x4_mul(wasm_f32x4_mul(sum, t), exponential(wasm_f32x4_neg(wasm_f32x4_mul(z, z))));
    v128_t sign = wasm_v128_and(x, wasm_f32x4_const_splat(-0.0f));
    v128_t erf = wasm_v128_or(sign, wasm_f32x4_sub(one, rest));
    v128_t half = wasm_f32x4_mul(x, wasm_f32x4_const_splat(0.5f));
    wasm_v128_store(values + i, wasm_f32x4_add(half, wasm_f32x4_mul(half, erf)));
  }
}

/* Weights of all pieces for one: softmax of query * keys / sqrt(size). There is room for a multiple of 4. */
INLINE void attention_weights(const float *query, const float *keys, int pieces, int stride, int size, float *weights) {
  float scale = 1.0f / __builtin_sqrtf((float)size);
  v128_t extremes = wasm_f32x4_const_splat(LEAST_FLOAT), total = wasm_f32x4_const_splat(0);
  int padded = (pieces + 3) / 4 * 4;
  for (int u = 0; u < pieces; u++) {
    v128_t sum = wasm_f32x4_const_splat(0);
    for (int e = 0; e < size; e += 4) {
      v128_t product = wasm_f32x4_mul(wasm_v128_load(query + e), wasm_v128_load(keys + u * stride + e));
      sum = wasm_f32x4_add(sum, product);
    }
    weights[u] = sum_floats(sum) * scale;
  }
  for (int u = pieces; u < padded; u++) weights[u] = LEAST_FLOAT;
  for (int u = 0; u < padded; u += 4) extremes = wasm_f32x4_pmax(extremes, wasm_v128_load(weights + u));
  v128_t greatest = wasm_f32x4_splat(greatest_float(extremes));
  for (int u = 0; u < padded; u += 4) {
    v128_t power = exponential(wasm_f32x4_sub(wasm_v128_load(weights + u), greatest));
    wasm_v128_store(weights + u, power);
    total = wasm_f32x4_add(total, power);
  }
  v128_t share = wasm_f32x4_splat(1.0f / sum_floats(total));
  for (int u = 0; u < padded; u += 4) wasm_v128_store(weights + u, wasm_f32x4_mul(share, wasm_v128_load(weights + u)));
}

/* Self-attention; a row of `inputs` holds queries, keys and values, `width` numbers each. Heads are multiples of 16 wide. */
EXPORT("attend")
void attend(const float *inputs, int pieces, int width, int heads, float *outputs) {
  int size = width / heads, stride = 3 * width;
  _Alignas(16) float weights[MOST_PIECES];
  for (int head = 0; head < heads; head++) {
    const float *queries = inputs + head * size, *keys = queries + width, *values = keys + width;
    for (int t = 0; t < pieces; t++) {
      attention_weights(queries + t * stride, keys, pieces, stride, size, weights);
      for (int e = 0; e < size; e += 16) {
        v128_t sums[4];
        for (int i = 0; i < 4; i++) sums[i] = wasm_f32x4_const_splat(0);
        for (int u = 0; u < pieces; u++) {
          v128_t weight = wasm_f32x4_splat(weights[u]);
          for (int i = 0; i < 4; i++) {
            v128_t value = wasm_v128_load(values + u * stride + e + 4 * i);
            sums[i] = wasm_f32x4_add(sums[i], wasm_f32x4_mul(weight, value));
          }
        }
        for (int i = 0; i < 4; i++) wasm_v128_store(outputs + t * width + head * size + e + 4 * i, sums[i]);
      }
    }
  }
}

/* The mean of the rows. */
EXPORT("average")
void average(const float *inputs, int pieces, int width, float *outputs) {
  const v128_t share = wasm_f32x4_splat(1.0f / pieces);
  for (int d = 0; d < width; d += 4) {
    v128_t sum = wasm_f32x4_const_splat(0);
    for (int t = 0; t < pieces; t++) sum = wasm_f32x4_add(sum, wasm_v128_load(inputs + t * width + d));
    wasm_v128_store(outputs + d, wasm_f32x4_mul(sum, share));
  }
}
