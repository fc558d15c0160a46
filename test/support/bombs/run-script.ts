import { join } from "node:path";

/** Runs a script beside this one in a process of its own, so that other tests have not used its memory. @returns the script's findings. */
export function runScript(name: string): unknown {
  const { stdout, stderr, exitCode } = Bun.spawnSync([process.execPath, join(import.meta.dir, name)]);
  if (exitCode !== 0) throw new Error(stderr.toString());
  return JSON.parse(stdout.toString());
}
