import { readFileSync } from "node:fs";

/** A page of WebAssembly memory. */
const PAGE_BYTES = 65_536;
/** Below the first page stands the kernel's stack. */
const FIRST_ADDRESS = PAGE_BYTES;
/** Every array begins at a multiple, so that it has its own cache lines. */
const ALIGNMENT = 64;

/** The kernel in a file; undefined if the processor or the runtime has no SIMD. */
export function compileKernel(file: string): WebAssembly.Module | undefined {
  const binary = new Uint8Array(readFileSync(file));
  return WebAssembly.validate(binary) ? new WebAssembly.Module(binary) : undefined;
}

/** A kernel's functions, and the memory that they work on. */
export class KernelMemory<Functions> {
  readonly functions: Functions;
  readonly buffer: ArrayBuffer;
  #used = FIRST_ADDRESS;

  /** @param bytes of all arrays together. */
  constructor(kernel: WebAssembly.Module, bytes: number, arrayCount: number) {
    const pages = Math.ceil((FIRST_ADDRESS + bytes + ALIGNMENT * arrayCount) / PAGE_BYTES);
    const memory = new WebAssembly.Memory({ initial: pages, maximum: pages });
    const { exports } = new WebAssembly.Instance(kernel, { env: { memory } });
    this.functions = exports as Functions;
    this.buffer = memory.buffer;
  }

  /** The address of a further array of this many bytes. */
  claim(bytes: number): number {
    const address = this.#used;
    this.#used += Math.ceil(bytes / ALIGNMENT) * ALIGNMENT;
    return address;
  }
}
