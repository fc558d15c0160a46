/**
 * Makes the WebAssembly files of the engine's C sources: the sentence encoder's loops and those of training. Needs clang and lld (Debian's
 * packages of these names); takes no arguments.
 */
import { chmodSync, statSync } from "node:fs";

const ENGINE = `${import.meta.dir}/../../../../src/intent`;
const KERNELS = ["encoder/transformer", "training/kernels/training-kernel"];
/** The stack stands below the first address that is given to arrays. */
const STACK_BYTES = 8192;

for (const kernel of KERNELS) {
  const target = `${ENGINE}/${kernel}.wasm`;
  const command = [
    "clang",
    "--target=wasm32",
    "-O3",
    "-msimd128",
    "-nostdlib",
    // Without this, loops become calls of functions that nobody provides.
    "-ffreestanding",
    "-Wall",
    "-Wextra",
    "-Werror",
    "-Wl,--no-entry,--import-memory,--strip-all",
    `-Wl,-z,stack-size=${STACK_BYTES}`,
    "-o",
    target,
    `${ENGINE}/${kernel}.c`,
  ];
  const { exitCode } = Bun.spawnSync(command, { stdout: "inherit", stderr: "inherit" });
  if (exitCode !== 0) throw new Error(`clang ended with ${exitCode}`);
  chmodSync(target, 0o644);
  console.log(`${kernel}.wasm: ${statSync(target).size} bytes`);
}
