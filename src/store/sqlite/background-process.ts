import { setPriority } from "node:os";

import { ownCommand } from "../../domain/own-command.ts";

interface BackgroundOptions {
  /** As of `nice`: 0 is the server's own priority, 19 the lowest. */
  priority: number;
  /** Kills the process. */
  signal: AbortSignal;
}

/**
 * Runs a command of this program in a process of its own, with a lower priority than the server. A thread would not do: closing a database
 * file in this process would release SQLite's locks on it, and a page that cannot be read may kill the process that reads it.
 *
 * @returns the exit code and the output. `killedBy`: the signal, if one ended it.
 */
export async function runInBackground(args: readonly string[], { priority, signal }: BackgroundOptions) {
  // Settings come from flags only.
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

/** The child may have ended already. */
function lowerPriority(pid: number, priority: number): void {
  try {
    setPriority(pid, priority);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_SYSTEM_ERROR") throw error;
  }
}
