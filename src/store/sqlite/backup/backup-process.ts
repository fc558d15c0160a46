import { constants } from "node:os";

import type { Actor } from "../../../domain/change.ts";
import { runInBackground } from "../background-process.ts";
import { BackupError } from "./errors.ts";

export interface BackupOrder {
  dataDir: string;
  file: string;
  signal: AbortSignal;
  /** The actor; by default, the server itself. */
  by?: Actor;
}

/**
 * Runs `parley backup` as a process of its own, so that a copy and its check neither block the server's event loop nor use its memory.
 *
 * @throws BackupError with the process's error line.
 */
export async function backUpInProcess({ dataDir, file, signal, by }: BackupOrder): Promise<void> {
  const priority = constants.priority.PRIORITY_BELOW_NORMAL;
  const author = by === undefined ? ["--scheduled"] : ["--by", JSON.stringify(by)];
  const args = ["backup", file, "--data", dataDir, ...author];
  const { exitCode, stderr } = await runInBackground(args, { priority, signal });
  if (exitCode !== 0) throw new BackupError(faultOf(stderr) ?? `the backup ended with exit code ${exitCode}`);
}

/** The last line with an error. */
function faultOf(said: string): string | undefined {
  const line = said.split("\n").findLast((text) => text.startsWith("error: "));
  return line?.slice("error: ".length);
}
