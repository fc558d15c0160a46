import { createReadStream } from "node:fs";
import { rm } from "node:fs/promises";
import { basename } from "node:path";

import type { Target } from "./targets.ts";

/** File for `sha256sum --check`. */
export const CHECKSUMS = "dist/SHA256SUMS";

interface CrossBuildParts {
  compile: (target: Target) => Promise<void>;
  /** Takes a line of progress. */
  say: (line: string) => void;
  checksums?: string;
}

/**
 * Makes an executable for each target, and a file of checksums of those that were made. One that fails stops none of the others.
 *
 * @returns how many failed.
 */
export async function buildForTargets(
  targets: readonly Target[],
  { compile, say, checksums = CHECKSUMS }: CrossBuildParts,
): Promise<number> {
  const sums: string[] = [];
  await rm(checksums, { force: true });
  for (const target of targets) {
    const startedAt = performance.now();
    try {
      await compile(target);
      sums.push(`${await sha256Of(target.outfile)}  ${basename(target.outfile)}\n`);
      say(`built ${target.outfile} in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
    } catch (error) {
      // The rest of the file is no executable.
      await rm(target.outfile, { force: true });
      say(`FAILED ${target.outfile} (${target.runtime}): ${whyOf(error)}`);
    }
  }
  await Bun.write(checksums, sums.join(""));
  const failed = targets.length - sums.length;
  say(
    `built ${checksums}: ${sums.length} of ${targets.length} executables${failed > 0 ? `, ${failed} FAILED` : ""}`,
  );
  return failed;
}

async function sha256Of(file: string): Promise<string> {
  const hasher = new Bun.CryptoHasher("sha256");
  for await (const chunk of createReadStream(file)) hasher.update(chunk as Buffer);
  return hasher.digest("hex");
}

/** The bundler's messages stand in an AggregateError. */
function whyOf(error: unknown): string {
  const errors: unknown[] =
    error instanceof AggregateError && error.errors.length > 0 ? error.errors : [error];
  return errors.map((each) => (each instanceof Error ? each.message : String(each))).join("; ");
}
