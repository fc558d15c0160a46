import { readFileSync } from "node:fs";

import type { Arena, Kernels } from "./kernels.ts";
import kernelFile from "./training-kernel.wasm" with { type: "file" };

/** A page of WebAssembly memory. */
const PAGE_BYTES = 65_536;
/** Below the first page stands the kernel's stack. */
const FIRST_ADDRESS = PAGE_BYTES;
/** Every array begins at a multiple, so that it has its own cache lines. */
const ALIGNMENT = 64;

/** The functions of `training-kernel.c`. All parameters are addresses, but the counts of columns. */
interface SimdExports {
  gather(matrix: number, columns: number, rows: number, rowsEnd: number, values: number, out: number): void;
  scatter(
    matrix: number,
    columns: number,
    rows: number,
    rowsEnd: number,
    values: number,
    direction: number,
  ): void;
  dots(matrix: number, columns: number, vector: number, out: number, outEnd: number): void;
}

function kernelsOf(simd: SimdExports): Kernels {
  return {
    gather({ cells, columns }, rows, values, from, to, out) {
      const start = rows.byteOffset + 4 * from;
      const valueStart = values.byteOffset + 4 * from;
      simd.gather(cells.byteOffset, columns, start, start + 4 * (to - from), valueStart, out.byteOffset);
    },
    scatter({ cells, columns }, rows, from, to, values, direction) {
      const start = rows.byteOffset + 4 * from;
      const end = start + 4 * (to - from);
      simd.scatter(cells.byteOffset, columns, start, end, values.byteOffset, direction.byteOffset);
    },
    dots({ cells, columns }, count, vector, out) {
      simd.dots(cells.byteOffset, columns, vector.byteOffset, out.byteOffset, out.byteOffset + 4 * count);
    },
  };
}

let compiled: { kernel: WebAssembly.Module | undefined } | undefined;

function compileKernel(): WebAssembly.Module | undefined {
  const binary = new Uint8Array(readFileSync(kernelFile));
  return WebAssembly.validate(binary) ? new WebAssembly.Module(binary) : undefined;
}

/**
 * An arena in WebAssembly memory, with room for this many 4-byte numbers in at most so many arrays. Undefined where the processor or the
 * runtime has no SIMD.
 */
export function openSimdArena(numbers: number, arrayCount: number): Arena | undefined {
  compiled ??= { kernel: compileKernel() };
  if (compiled.kernel === undefined) return undefined;
  const pages = Math.ceil((FIRST_ADDRESS + 4 * numbers + ALIGNMENT * arrayCount) / PAGE_BYTES);
  const memory = new WebAssembly.Memory({ initial: pages, maximum: pages });
  const { exports } = new WebAssembly.Instance(compiled.kernel, { env: { memory } });
  let used = FIRST_ADDRESS;
  const claim = (length: number) => {
    const at = used;
    used += Math.ceil((4 * length) / ALIGNMENT) * ALIGNMENT;
    return at;
  };
  return {
    kernels: kernelsOf(exports as unknown as SimdExports),
    floats: (length) => new Float32Array(memory.buffer, claim(length), length),
    ints: (length) => new Int32Array(memory.buffer, claim(length), length),
  };
}
