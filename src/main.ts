import { runProcess } from "./cli/run-process.ts";
import { processTerminal } from "./cli/terminal.ts";

await runProcess(process.argv.slice(2), processTerminal());
