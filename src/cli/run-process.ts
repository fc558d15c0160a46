import { explainDefect } from "./exit-code.ts";
import { runCli, tellFailure } from "./program.ts";
import type { Terminal } from "./terminal.ts";

/**
 * Runs one command line and ends the process with its exit code. An uncaught error ends it at once, unless the command itself handles such
 * errors, as `serve` does.
 */
export async function runProcess(args: readonly string[], terminal: Terminal): Promise<never> {
  terminal.onDefect((error) => process.exit(tellFailure(terminal, explainDefect(error))));
  const exitCode = await runCli(args, terminal);
  // A pipe accepts the output only while the process lives.
  await new Promise<void>((written) => process.stdout.end(written));
  process.exit(exitCode);
}
