import { constants, setPriority } from "node:os";
import { join } from "node:path";

import type { Logger } from "pino";

import { BackupError } from "./errors.ts";

export interface BackupOrder {
  dataDir: string;
  file: string;
  signal: AbortSignal;
  log: Pick<Logger, "debug">;
}

/**
 * Runs `parley backup` as a process of its own, below the server in priority. Nothing of a copy or its check can then block the
 * server's loop or take its memory, and no file is opened and closed in the process whose locks SQLite holds (POSIX would drop them).
 *
 * @throws BackupError with what the process said.
 */
export async function backUpInProcess({ dataDir, file, signal, log }: BackupOrder): Promise<void> {
  const child = Bun.spawn([...program(), "backup", file, "--data", dataDir], {
    // Settings are given by flags alone.
    env: Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("PARLEY_"))),
    stdin: "ignore",
    stdout: "ignore",
    stderr: "pipe",
    signal,
  });
  try {
    setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch (error) {
    log.debug({ err: error }, "the backup runs at the server's own priority");
  }
  const said = await new Response(child.stderr).text();
  const exitCode = await child.exited;
  if (exitCode !== 0) throw new BackupError(faultOf(said) ?? `the backup ended with exit code ${exitCode}`);
}

/** This program's command line. In the executable every module's `import.meta.url` is the executable's root. */
function program(): string[] {
  const isSource = import.meta.url.endsWith("/backup-process.ts");
  return isSource ? [process.execPath, join(import.meta.dir, "../../main.ts")] : [process.execPath];
}

/** The last line that tells an error. */
function faultOf(said: string): string | undefined {
  const line = said.split("\n").findLast((text) => text.startsWith("error: "));
  return line?.slice("error: ".length);
}
