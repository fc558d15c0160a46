import { setPriority } from "node:os";

import { ownCommand } from "../../domain/own-command.ts";

/** How a command ended, and what it said. */
interface Ended {
  exitCode: number;
  /** What killed it, if something did. */
  killedBy: string | undefined;
  stdout: string;
  stderr: string;
}

interface BackgroundOptions {
  /** As `nice`: 0 is the server's own, 19 the least. */
  priority: number;
  /** Kills it. */
  signal: AbortSignal;
}

/**
 * Runs a command of this program in a process of its own, below the server in priority. A process, not a thread: to open and close a
 * database file in this one would take away the locks that SQLite holds on it, and a page that cannot be read may end whoever reads it.
 */
export async function runInBackground(
  args: readonly string[],
  { priority, signal }: BackgroundOptions,
): Promise<Ended> {
  const child = Bun.spawn([...ownCommand(), ...args], {
    // Settings are given by flags alone.
    env: Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("PARLEY_"))),
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
    signal,
  });
  lowerPriority(child.pid, priority);
  const [stdout, stderr] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  const exitCode = await child.exited;
  return { exitCode, killedBy: child.signalCode?.toString(), stdout, stderr };
}

/** The child may have ended before it gets here. */
function lowerPriority(pid: number, priority: number): void {
  try {
    setPriority(pid, priority);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_SYSTEM_ERROR") throw error;
  }
}
