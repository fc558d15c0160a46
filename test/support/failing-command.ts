/**
 * `parley seed -` in a process of its own, from the sources, with an uncaught error while it waits for stdin:
 * `bun failing-command.ts throw|reject`.
 */
import { runProcess } from "../../src/cli/program.ts";
import { processTerminal } from "../../src/cli/terminal.ts";

const FAILURES: Record<string, () => void> = {
  throw: () => {
    throw new Error("nobody catches this");
  },
  reject: () => void Promise.reject(new Error("nobody catches this")),
};

await runProcess(["seed", "-"], {
  ...processTerminal(),
  readStdin() {
    setTimeout(FAILURES[process.argv[2]!]!);
    return new Promise(() => {});
  },
});
