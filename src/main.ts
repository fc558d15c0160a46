import { runProcess } from "./cli/program.ts";
import { processTerminal } from "./cli/terminal.ts";

await runProcess(process.argv.slice(2), processTerminal());
