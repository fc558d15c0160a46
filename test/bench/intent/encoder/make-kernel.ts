/** Makes src/intent/encoder/kernel.wasm of kernel.c. Needs clang and lld (Debian's packages of these names); run it as it is. */
import { chmodSync, statSync } from "node:fs";

const FOLDER = `${import.meta.dir}/../../../../src/intent/encoder`;
const TARGET = `${FOLDER}/kernel.wasm`;
/** The stack stands below the first address that `kernel.ts` gives to arrays. */
const STACK_BYTES = 8192;

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
  TARGET,
  `${FOLDER}/kernel.c`,
];
const { exitCode } = Bun.spawnSync(command, { stdout: "inherit", stderr: "inherit" });
if (exitCode !== 0) throw new Error(`clang ended with ${exitCode}`);
chmodSync(TARGET, 0o644);
console.log(`${statSync(TARGET).size} bytes`);
