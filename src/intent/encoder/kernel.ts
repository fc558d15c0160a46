import { readFileSync } from "node:fs";

import kernelFile from "./kernel.wasm" with { type: "file" };

const PAGE_BYTES = 65_536;
/** Below the first page stands the kernel's stack. */
const FIRST_ADDRESS = PAGE_BYTES;
/** Keeps every array on its own cache lines. */
const ALIGNMENT = 64;

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

/**
 * The loops, and memory for arrays of these sizes in bytes; absent where the processor or the runtime has no SIMD.
 */
export function openKernel<Name extends string>(
  sizes: Readonly<Record<Name, number>>,
): Kernel<Name> | undefined {
  const binary = new Uint8Array(readFileSync(kernelFile));
  if (!WebAssembly.validate(binary)) return undefined;
  const { addresses, end } = placeArrays(sizes);
  const pages = Math.ceil(end / PAGE_BYTES);
  const memory = new WebAssembly.Memory({ initial: pages, maximum: pages });
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(binary), { env: { memory } });
  return { loops: exports as unknown as KernelLoops, memory: memory.buffer, addresses };
}

function placeArrays<Name extends string>(
  sizes: Readonly<Record<Name, number>>,
): { addresses: Record<Name, number>; end: number } {
  let end = FIRST_ADDRESS;
  const places = Object.entries<number>(sizes).map(([name, size]) => {
    const address = end;
    end += Math.ceil(size / ALIGNMENT) * ALIGNMENT;
    return [name, address] as const;
  });
  return { addresses: Object.fromEntries(places) as Record<Name, number>, end };
}
