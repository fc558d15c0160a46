import type { Command } from "@commander-js/extra-typings";

import { CHECK_COMMAND, quickCheck } from "../../store/sqlite/quick-check.ts";
import type { Terminal } from "../terminal.ts";

/** Not for operators: a server starts it in the background, and reads one JSON document. */
export function addCheckDatabase(program: Command, terminal: Terminal): void {
  program
    .command(CHECK_COMMAND, { hidden: true })
    .description("read every page of a database file, and print what was found as JSON")
    .argument("<file>")
    .action((file) => terminal.print(JSON.stringify(quickCheck(file))));
}
