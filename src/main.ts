import { runCli } from "./cli/program.ts";
import { processTerminal } from "./cli/terminal.ts";

const exitCode = await runCli(process.argv.slice(2), processTerminal());
// A pipe takes what was written only while the process lives.
await new Promise<void>((written) => process.stdout.end(written));
process.exit(exitCode);
