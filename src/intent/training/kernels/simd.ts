import { compileKernel, KernelMemory } from "../../kernel-memory.ts";
import { type Arena, type Kernels, PLAIN_ARENA } from "./kernels.ts";
import kernelFile from "./training-kernel.wasm" with { type: "file" };

/** Functions of `training-kernel.c`. All parameters are addresses except the counts of columns. */
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

/**
 * An arena for this many 4-byte numbers: WebAssembly memory with SIMD kernels if the processor has SIMD, otherwise ordinary memory with
 * plain loops.
 * @param arrayCount maximum number of arrays.
 */
export function openArena(numbers: number, arrayCount: number): Arena {
  compiled ??= { kernel: compileKernel(kernelFile) };
  if (compiled.kernel === undefined) return PLAIN_ARENA;
  const memory = new KernelMemory<SimdExports>(compiled.kernel, 4 * numbers, arrayCount);
  return {
    kernels: kernelsOf(memory.functions),
    floats: (length) => new Float32Array(memory.buffer, memory.claim(4 * length), length),
    ints: (length) => new Int32Array(memory.buffer, memory.claim(4 * length), length),
  };
}
