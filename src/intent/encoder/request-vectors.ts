import { readFileSync } from "node:fs";

import { type Kernel, openKernel } from "./kernel.ts";
import { SENTENCE_WIDTH } from "./layout.ts";
import type { QuantisedRows } from "./quantised-rows.ts";
import requestFile from "./requests.bin" with { type: "file" };

const FLOAT_BYTES = 4;
const SHORT_BYTES = 2;
/** A row of bytes, and its scale. */
const ROW_BYTES = SENTENCE_WIDTH + FLOAT_BYTES;

type ArrayName = "scales" | "cells" | "biases" | "vector" | "whole" | "wholeScale" | "cosines";

/** What people say to bots of all kinds, as the encoder sees it. */
export class RequestVectors {
  readonly #kernel: Kernel<ArrayName>;
  readonly #floats: Float32Array;
  readonly #count: number;

  private constructor(kernel: Kernel<ArrayName>, count: number) {
    this.#kernel = kernel;
    this.#floats = new Float32Array(kernel.memory);
    this.#count = count;
  }

  /**
   * @param bytes as `packRequestVectors` made them.
   * @throws Error where the processor or the runtime has no SIMD, or where the rows are of an odd number, as the kernel takes them in pairs.
   */
  static unpack(bytes: Uint8Array): RequestVectors {
    const count = bytes.byteLength / ROW_BYTES;
    if (count % 2 !== 0) throw new Error("request vectors are no whole number of pairs");
    const kernel = openKernel<ArrayName>({
      scales: FLOAT_BYTES * count,
      cells: SENTENCE_WIDTH * count,
      biases: FLOAT_BYTES * count,
      vector: FLOAT_BYTES * SENTENCE_WIDTH,
      whole: SHORT_BYTES * SENTENCE_WIDTH,
      wholeScale: FLOAT_BYTES,
      cosines: FLOAT_BYTES * count,
    });
    if (!kernel) throw new Error("request vectors need SIMD");
    const memory = new Uint8Array(kernel.memory);
    memory.set(bytes.subarray(0, FLOAT_BYTES * count), kernel.addresses.scales);
    memory.set(bytes.subarray(FLOAT_BYTES * count), kernel.addresses.cells);
    return new RequestVectors(kernel, count);
  }

  /** The cosine to the nearest of them. */
  nearest(vector: Float32Array): number {
    const { loops, addresses: at } = this.#kernel;
    this.#floats.set(vector, at.vector / FLOAT_BYTES);
    loops.quantise(at.vector, 1, SENTENCE_WIDTH, at.whole, at.wholeScale, 0);
    const { whole, wholeScale, cells, scales, biases, cosines } = at;
    loops.multiply(whole, wholeScale, 1, SENTENCE_WIDTH, cells, scales, biases, this.#count, cosines, 0);
    const start = cosines / FLOAT_BYTES;
    let greatest = -1;
    for (let row = start; row < start + this.#count; row++) greatest = Math.max(greatest, this.#floats[row]!);
    return greatest;
  }
}

/** The bytes that `RequestVectors.unpack` reads: all scales, then all rows. */
export function packRequestVectors({ scales, cells }: QuantisedRows): Uint8Array {
  return Buffer.concat([Buffer.from(scales.buffer), Buffer.from(cells.buffer)]);
}

let opened: RequestVectors | undefined;

/**
 * Those of every sixth line of test/support/general-requests/en.txt (made by test/bench/intent/encoder/make-requests.ts), read when they are
 * first asked for; 0.6 MB of memory from then on.
 */
export function openRequestVectors(): RequestVectors {
  return (opened ??= RequestVectors.unpack(readFileSync(requestFile)));
}
