import { compileKernel, KernelMemory } from "../kernel-memory.ts";
import kernelFile from "./transformer.wasm" with { type: "file" };
import type { NetworkSizes, WeightFile } from "./weight-file.ts";

const FLOAT_BYTES = 4;
const SHORT_BYTES = 2;
/** Maximum number of pieces of a text, including start and end; `transformer.c` relies on it. */
export const MAX_PIECES = 128;
/** Number of dimensions that share a scale. */
const BLOCK = 32;
/** The 4-bit value that stands for 0. */
const NIBBLE_ZERO = 8;

/** The loops of `transformer.c`. Arrays are given by their addresses in the kernel's memory. */
interface TransformerLoops {
  /** outputs = inputs × weights + biases; with `add` = 1 the result is added to the existing outputs. */
  multiply(
    inputs: number,
    inputScales: number,
    pieces: number,
    depth: number,
    weights: number,
    weightScales: number,
    biases: number,
    width: number,
    outputs: number,
    add: number,
  ): void;
  /** Quantises rows of floats to 16-bit integers with one scale per row. */
  quantise(inputs: number, pieces: number, width: number, outputs: number, scales: number): void;
  /** In place. */
  normalise(
    rows: number,
    pieces: number,
    width: number,
    scales: number,
    biases: number,
    epsilon: number,
  ): void;
  /** In place. */
  gelu(values: number, count: number): void;
  attend(inputs: number, pieces: number, width: number, heads: number, outputs: number): void;
  average(inputs: number, pieces: number, width: number, outputs: number): void;
}

/** Texts in progress: one that a visitor waits for, and one that was interrupted for it. Each has its own rows; work arrays are shared. */
export type Lane = "foreground" | "background";

type ArrayName =
  | Lane
  | "weights"
  /** The widest outputs: queries, keys and values, or those of the feed-forward layer. */
  | "wide"
  | "attended"
  /** Quantised inputs of a product, with their scales. */
  | "whole"
  | "wholeScales"
  | "mean";

/** A text in progress. */
export interface Run {
  readonly lane: Lane;
  readonly pieceCount: number;
  /** Number of layers done. */
  layersDone: number;
}

/**
 * A transformer encoder (Vaswani et al. 2017; with BERT's post-layer normalisation). The mean of the pieces' outputs is the text's vector.
 * Weights are bytes with one scale per row, activations have 14 bits. Numbers of layers and dimensions come from the weight file.
 */
export class Transformer {
  readonly #file: WeightFile;
  readonly #loops: TransformerLoops;
  readonly #at: Readonly<Record<ArrayName, number>>;
  readonly #floats: Float32Array;
  readonly #scales: Float16Array;
  readonly #nibbles: Uint8Array;

  private constructor(file: WeightFile, kernel: WebAssembly.Module) {
    const layers = file.takeLayers();
    const sizes = arraySizes(file.sizes, layers.byteLength);
    const arrays = Object.entries<number>(sizes);
    const bytes = arrays.reduce((sum, [, size]) => sum + size, 0);
    const memory = new KernelMemory<TransformerLoops>(kernel, bytes, arrays.length);
    this.#file = file;
    this.#loops = memory.functions;
    this.#at = Object.fromEntries(arrays.map(([name, size]) => [name, memory.claim(size)])) as Record<
      ArrayName,
      number
    >;
    this.#floats = new Float32Array(memory.buffer);
    this.#scales = file.pieceScales;
    this.#nibbles = file.pieceNibbles;
    new Uint8Array(memory.buffer).set(layers, this.#at.weights);
  }

  /** @returns undefined if the processor or the runtime has no SIMD. */
  static open(file: WeightFile): Transformer | undefined {
    const kernel = compileKernel(kernelFile);
    return kernel && new Transformer(file, kernel);
  }

  /** Starts a text. An earlier text in the same lane is overwritten. @param pieces at least one; those beyond `MAX_PIECES` are ignored. */
  begin(pieces: readonly number[], lane: Lane): Run {
    const run: Run = { lane, pieceCount: Math.min(MAX_PIECES, pieces.length), layersDone: 0 };
    const { hidden } = this.#file.sizes;
    const positions = this.#weights("position") / FLOAT_BYTES;
    for (let t = 0; t < run.pieceCount; t++) {
      const to = this.#at[lane] / FLOAT_BYTES + t * hidden;
      this.#placePiece(pieces[t]!, to);
      for (let d = 0; d < hidden; d++) this.#floats[to + d]! += this.#floats[positions + t * hidden + d]!;
    }
    this.#normalise("norm", run);
    return run;
  }

  /** Runs a text through its next layer. @returns whether it was the last one. */
  step(run: Run): boolean {
    const { hidden, heads, feedForward, layers } = this.#file.sizes;
    const { wide, attended } = this.#at;
    const [layer, rows, count] = [run.layersDone, this.#at[run.lane], run.pieceCount];
    this.#multiply(`${layer}.qkv`, { from: rows, depth: hidden, to: wide, width: 3 * hidden }, count);
    this.#loops.attend(wide, count, hidden, heads, attended);
    this.#multiply(
      `${layer}.out`,
      { from: attended, depth: hidden, to: rows, width: hidden, add: true },
      count,
    );
    this.#normalise(`${layer}.attended`, run);
    this.#multiply(`${layer}.up`, { from: rows, depth: hidden, to: wide, width: feedForward }, count);
    this.#loops.gelu(wide, count * feedForward);
    this.#multiply(
      `${layer}.down`,
      { from: wide, depth: feedForward, to: rows, width: hidden, add: true },
      count,
    );
    this.#normalise(`${layer}.fed`, run);
    run.layersDone++;
    return run.layersDone === layers;
  }

  /** The vector of a text that has passed all layers, with an L2 norm of 1. */
  finish({ lane, pieceCount }: Run): Float32Array {
    const { hidden } = this.#file.sizes;
    this.#loops.average(this.#at[lane], pieceCount, hidden, this.#at.mean);
    const start = this.#at.mean / FLOAT_BYTES;
    return toUnitLength(this.#floats.slice(start, start + hidden));
  }

  /** Dequantises the embedding of a piece. */
  #placePiece(piece: number, to: number): void {
    const blocks = this.#file.sizes.hidden / BLOCK;
    for (let block = 0; block < blocks; block++) {
      const scale = this.#scales[piece * blocks + block]!;
      const bytes = (piece * blocks + block) * (BLOCK / 2);
      const start = to + block * BLOCK;
      for (let j = 0; j < BLOCK / 2; j++) {
        const byte = this.#nibbles[bytes + j]!;
        this.#floats[start + j] = ((byte & 15) - NIBBLE_ZERO) * scale;
        this.#floats[start + j + BLOCK / 2] = ((byte >> 4) - NIBBLE_ZERO) * scale;
      }
    }
  }

  #normalise(name: string, { lane, pieceCount }: Run): void {
    const { hidden, epsilon } = this.#file.sizes;
    const [scales, biases] = [this.#weights(`${name}.scale`), this.#weights(`${name}.bias`)];
    this.#loops.normalise(this.#at[lane], pieceCount, hidden, scales, biases, epsilon);
  }

  #multiply(
    name: string,
    {
      from,
      depth,
      to,
      width,
      add = false,
    }: { from: number; depth: number; to: number; width: number; add?: boolean },
    count: number,
  ): void {
    const { whole, wholeScales } = this.#at;
    const [weights, scales, biases] = ["weight", "scale", "bias"].map((of) => this.#weights(`${name}.${of}`));
    this.#loops.quantise(from, count, depth, whole, wholeScales);
    this.#loops.multiply(
      whole,
      wholeScales,
      count,
      depth,
      weights!,
      scales!,
      biases!,
      width,
      to,
      Number(add),
    );
  }

  /** The address of an array of the file. */
  #weights(name: string): number {
    return this.#at.weights + this.#file.offsetOf(name);
  }
}

/** In bytes. */
function arraySizes({ hidden, feedForward }: NetworkSizes, weights: number): Record<ArrayName, number> {
  const widest = Math.max(3 * hidden, feedForward);
  return {
    weights,
    foreground: FLOAT_BYTES * MAX_PIECES * hidden,
    background: FLOAT_BYTES * MAX_PIECES * hidden,
    wide: FLOAT_BYTES * MAX_PIECES * widest,
    attended: FLOAT_BYTES * MAX_PIECES * hidden,
    whole: SHORT_BYTES * MAX_PIECES * widest,
    wholeScales: FLOAT_BYTES * MAX_PIECES,
    mean: FLOAT_BYTES * hidden,
  };
}

/** Normalises a vector in place and returns it; a zero vector stays. */
export function toUnitLength(vector: Float32Array): Float32Array {
  let square = 0;
  for (let d = 0; d < vector.length; d++) square += vector[d]! ** 2;
  const factor = square === 0 ? 1 : 1 / Math.sqrt(square);
  for (let d = 0; d < vector.length; d++) vector[d]! *= factor;
  return vector;
}
