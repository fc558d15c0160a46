import { compileKernel, KernelMemory } from "../kernel-memory.ts";
import kernelFile from "./kernel.wasm" with { type: "file" };

/** The loops of `kernel.c`. All numbers that name arrays are addresses in the kernel's memory. */
interface KernelLoops {
  /** outputs = inputs × weights + biases; with `add` = 1 that is added to what stands there. */
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
  /** Rows of floats to rows of 16-bit whole numbers, with a scale each. */
  quantise(
    inputs: number,
    pieces: number,
    width: number,
    outputs: number,
    scales: number,
    rectify: number,
  ): void;
  normalise(
    inputs: number,
    pieces: number,
    width: number,
    scales: number,
    shifts: number,
    outputs: number,
  ): void;
  attend(inputs: number, pieces: number, width: number, outputs: number): void;
  average(inputs: number, pieces: number, width: number, outputs: number, rectify: number): void;
}

/** The loops, and the memory that they work on. */
export interface Kernel<Name extends string> {
  loops: KernelLoops;
  memory: ArrayBuffer;
  /** Where each array begins. */
  addresses: Readonly<Record<Name, number>>;
}

/** The loops, and memory for arrays of these sizes in bytes; absent where the processor or the runtime has no SIMD. */
export function openKernel<Name extends string>(
  sizes: Readonly<Record<Name, number>>,
): Kernel<Name> | undefined {
  const kernel = compileKernel(kernelFile);
  if (kernel === undefined) return undefined;
  const arrays = Object.entries<number>(sizes);
  const bytes = arrays.reduce((sum, [, size]) => sum + size, 0);
  const memory = new KernelMemory<KernelLoops>(kernel, bytes, arrays.length);
  const addresses = Object.fromEntries(arrays.map(([name, size]) => [name, memory.claim(size)]));
  return {
    loops: memory.functions,
    memory: memory.buffer,
    addresses: addresses as Record<Name, number>,
  };
}
