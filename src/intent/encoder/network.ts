import { type Kernel, openKernel } from "./kernel.ts";
import {
  MATRIX_PLACES,
  type MatrixName,
  MOST_PIECES,
  PIECE_WIDTH,
  SENTENCE_WIDTH,
  VECTOR_PLACES,
  type VectorName,
  WEIGHT_BYTES,
} from "./layout.ts";

const FLOAT_BYTES = 4;
const SHORT_BYTES = 2;
const INNER_WIDTH = MATRIX_PLACES.inner0.rows;

/** What stands in the kernel's memory, in bytes. */
const ARRAYS = {
  weights: WEIGHT_BYTES,
  /** The pieces as they come in. */
  pieces: FLOAT_BYTES * MOST_PIECES * PIECE_WIDTH,
  /** What all steps add to. */
  sum: FLOAT_BYTES * MOST_PIECES * SENTENCE_WIDTH,
  normal: FLOAT_BYTES * MOST_PIECES * SENTENCE_WIDTH,
  attended: FLOAT_BYTES * MOST_PIECES * SENTENCE_WIDTH,
  /** Outputs of the widest steps. */
  wide: FLOAT_BYTES * MOST_PIECES * INNER_WIDTH,
  /** Inputs of a product, as whole numbers, and their scales. */
  whole: SHORT_BYTES * MOST_PIECES * INNER_WIDTH,
  wholeScales: FLOAT_BYTES * MOST_PIECES,
};
type ArrayName = keyof typeof ARRAYS;

/**
 * The network of Google's Universal Sentence Encoder (lite): two transformer layers over pieces of a sentence, whose mean goes through a
 * last layer. Weights are bytes with a scale for each row, activations 14 bits.
 */
export class Network {
  readonly #kernel: Kernel<ArrayName>;
  readonly #floats: Float32Array;
  readonly #bytes: Int8Array;
  /** What says at which place of the sentence a piece stands. */
  readonly #timing: Float32Array;

  private constructor(kernel: Kernel<ArrayName>) {
    this.#kernel = kernel;
    this.#floats = new Float32Array(kernel.memory);
    this.#bytes = new Int8Array(kernel.memory);
    this.#timing = timingSignal(this.vector("frequencies"));
  }

  /** @returns undefined where the processor or the runtime has no SIMD. */
  static open(weights: Uint8Array): Network | undefined {
    const kernel = openKernel(ARRAYS);
    if (kernel === undefined) return undefined;
    new Uint8Array(kernel.memory).set(weights, kernel.addresses.weights);
    return new Network(kernel);
  }

  vector(name: VectorName): Float32Array {
    const { length } = VECTOR_PLACES[name];
    return new Float32Array(this.#kernel.memory, this.#addressOf(name), length);
  }

  /** What a sentence of these pieces means: a vector of length 1. @param pieces at least one; those beyond `MOST_PIECES` are left out. */
  run(pieces: readonly number[]): Float32Array {
    const count = Math.min(MOST_PIECES, pieces.length);
    const { loops } = this.#kernel;
    const { sum, normal, wide } = this.#kernel.addresses;
    this.#placePieces(pieces, count);
    this.#multiply("widen", this.#kernel.addresses.pieces, count, sum);
    this.#attend(0, this.#kernel.addresses.pieces, count);
    this.#feedForward(count);
    this.#attend(1, sum, count);
    this.#innerStep(1, count);
    // The last step is linear, and only its mean is asked for: it is taken of the mean.
    loops.average(wide, count, INNER_WIDTH, wide, 1);
    loops.average(sum, count, SENTENCE_WIDTH, sum, 0);
    this.#multiply("outer1", wide, 1, sum, { add: true });
    this.#multiply("final", sum, 1, normal);
    return this.#squash(normal);
  }

  /** The original adds a piece's vector twice. */
  #placePieces(pieces: readonly number[], count: number): void {
    const { cellsAt, scalesAt } = MATRIX_PLACES.embedding;
    const { weights } = this.#kernel.addresses;
    for (let t = 0; t < count; t++) {
      const scale = 2 * this.#floats[(weights + scalesAt) / FLOAT_BYTES + pieces[t]!]!;
      const cells = weights + cellsAt + pieces[t]! * PIECE_WIDTH;
      const timing = t * PIECE_WIDTH;
      const to = this.#kernel.addresses.pieces / FLOAT_BYTES + timing;
      for (let d = 0; d < PIECE_WIDTH; d++) {
        this.#floats[to + d] = scale * this.#bytes[cells + d]! + this.#timing[timing + d]!;
      }
    }
  }

  #attend(layer: 0 | 1, from: number, count: number): void {
    const { normal, wide, attended, sum } = this.#kernel.addresses;
    const width = MATRIX_PLACES[`attention${layer}`].columns;
    this.#normalise(`attention${layer}`, from, count);
    this.#multiply(`attention${layer}`, normal, count, wide);
    this.#kernel.loops.attend(wide, count, width, attended);
    this.#multiply(`merge${layer}`, attended, count, sum, { add: true });
  }

  /** Of the first layer; `run` takes that of the last one apart. */
  #feedForward(count: number): void {
    const { wide, sum } = this.#kernel.addresses;
    this.#innerStep(0, count);
    this.#multiply("outer0", wide, count, sum, { add: true, rectify: true });
  }

  /** Its outputs still have to be rectified. */
  #innerStep(layer: 0 | 1, count: number): void {
    const { normal, wide, sum } = this.#kernel.addresses;
    this.#normalise(`inner${layer}`, sum, count);
    this.#multiply(`inner${layer}`, normal, count, wide);
  }

  #normalise(name: "attention0" | "attention1" | "inner0" | "inner1", from: number, count: number): void {
    const width = MATRIX_PLACES[name].columns;
    const [scale, shift] = [this.#addressOf(`${name}Scale`), this.#addressOf(`${name}Shift`)];
    this.#kernel.loops.normalise(from, count, width, scale, shift, this.#kernel.addresses.normal);
  }

  #multiply(
    name: Exclude<MatrixName, "embedding">,
    from: number,
    count: number,
    to: number,
    { add = false, rectify = false } = {},
  ): void {
    const { rows, columns, cellsAt, scalesAt } = MATRIX_PLACES[name];
    const { weights, whole, wholeScales } = this.#kernel.addresses;
    const { loops } = this.#kernel;
    loops.quantise(from, count, columns, whole, wholeScales, Number(rectify));
    loops.multiply(
      whole,
      wholeScales,
      count,
      columns,
      weights + cellsAt,
      weights + scalesAt,
      this.#addressOf(`${name}Bias`),
      rows,
      to,
      Number(add),
    );
  }

  #squash(from: number): Float32Array {
    const start = from / FLOAT_BYTES;
    const vector = this.#floats.slice(start, start + SENTENCE_WIDTH).map(Math.tanh);
    return toUnitLength(vector);
  }

  #addressOf(name: VectorName): number {
    return this.#kernel.addresses.weights + VECTOR_PLACES[name].at;
  }
}

/** Changes the vector, and returns it; one without a direction stays as it is. */
export function toUnitLength(vector: Float32Array): Float32Array {
  let square = 0;
  for (let d = 0; d < vector.length; d++) square += vector[d]! ** 2;
  const factor = square === 0 ? 1 : 1 / Math.sqrt(square);
  for (let d = 0; d < vector.length; d++) vector[d]! *= factor;
  return vector;
}

/** For each place, sines, then cosines (Vaswani et al. 2017). */
function timingSignal(frequencies: Float32Array): Float32Array {
  const signal = new Float32Array(MOST_PIECES * PIECE_WIDTH);
  for (let t = 0; t < MOST_PIECES; t++) {
    frequencies.forEach((frequency, i) => {
      signal[t * PIECE_WIDTH + i] = Math.sin(t * frequency);
      signal[t * PIECE_WIDTH + frequencies.length + i] = Math.cos(t * frequency);
    });
  }
  return signal;
}
