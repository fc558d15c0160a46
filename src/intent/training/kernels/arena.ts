import { type Arena, PLAIN_KERNELS } from "./kernels.ts";
import { openSimdArena } from "./simd.ts";

/**
 * An arena with room for this many 4-byte numbers: in WebAssembly memory with SIMD kernels where the processor has SIMD, with plain
 * loops elsewhere.
 * @param arrayCount how many arrays will be made at most.
 */
export function openArena(numbers: number, arrayCount: number): Arena {
  return (
    openSimdArena(numbers, arrayCount) ?? {
      kernels: PLAIN_KERNELS,
      floats: (length) => new Float32Array(length),
      ints: (length) => new Int32Array(length),
    }
  );
}
