import type { Arena, Kernels } from "./kernels.ts";
import { dotsFunction, gatherFunction, scatterFunction } from "./simd-functions.ts";
import { assemble } from "./wasm.ts";

/** A page of WebAssembly memory. */
const PAGE_BYTES = 65_536;
/** Every array begins at a multiple, so that it has its own cache lines. */
const ALIGNMENT = 64;

/** The functions of `simd-functions.ts`. All parameters are addresses or counts of bytes. */
interface SimdExports {
  gather(matrix: number, stride: number, rows: number, rowsEnd: number, values: number, out: number): void;
  scatter(
    matrix: number,
    stride: number,
    rows: number,
    rowsEnd: number,
    values: number,
    direction: number,
  ): void;
  dots(matrix: number, stride: number, vector: number, out: number, outEnd: number): void;
}

function kernelsOf(simd: SimdExports): Kernels {
  return {
    gather({ cells, columns }, rows, values, from, to, out) {
      const start = rows.byteOffset + 4 * from;
      const valueStart = values.byteOffset + 4 * from;
      simd.gather(cells.byteOffset, 4 * columns, start, start + 4 * (to - from), valueStart, out.byteOffset);
    },
    scatter({ cells, columns }, rows, from, to, values, direction) {
      const start = rows.byteOffset + 4 * from;
      const end = start + 4 * (to - from);
      simd.scatter(cells.byteOffset, 4 * columns, start, end, values.byteOffset, direction.byteOffset);
    },
    dots({ cells, columns }, count, vector, out) {
      simd.dots(cells.byteOffset, 4 * columns, vector.byteOffset, out.byteOffset, out.byteOffset + 4 * count);
    },
  };
}

/**
 * An arena in WebAssembly memory, with room for this many 4-byte numbers in at most so many arrays. Undefined where the processor or the
 * runtime has no SIMD.
 */
export function openSimdArena(numbers: number, arrayCount: number): Arena | undefined {
  const pages = Math.ceil((4 * numbers + ALIGNMENT * arrayCount) / PAGE_BYTES) + 1;
  const binary = assemble([gatherFunction(), scatterFunction(), dotsFunction()], pages);
  if (!WebAssembly.validate(binary)) return undefined;
  const memory = new WebAssembly.Memory({ initial: pages, maximum: pages });
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(binary), { env: { memory } });
  let used = 0;
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
