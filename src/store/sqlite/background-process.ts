import { setPriority } from "node:os";

import { ownCommand } from "../../domain/own-command.ts";

interface BackgroundOptions {
  /** As `nice`: 0 is the server's own, 19 the least. */
  priority: number;
  /** Kills it. */
  signal: AbortSignal;
}

/**
 * Runs a command of this program in a process of its own, below the server in priority. A process, not a thread: to open and close a
 * database file in this one would take away the locks that SQLite holds on it, and a page that cannot be read may end whoever reads it.
 *
 * @returns how it ended, and what it said. `killedBy`: the signal, if one did.
 */
export async function runInBackground(args: readonly string[], { priority, signal }: BackgroundOptions) {
  // Settings are given by flags alone.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("PARLEY_")));
  const child = Bun.spawn([...ownCommand(), ...args], {
    env,
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
    signal,
  });
  lowerPriority(child.pid, priority);
  const [stdout, stderr, exitCode] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { exitCode, killedBy: child.signalCode, stdout, stderr };
}

/** The child may have ended before it gets here. */
function lowerPriority(pid: number, priority: number): void {
  try {
    setPriority(pid, priority);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_SYSTEM_ERROR") throw error;
  }
}
