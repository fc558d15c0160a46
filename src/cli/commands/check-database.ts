import type { Command } from "@commander-js/extra-typings";

import { CHECK_COMMAND, quickCheck } from "../../store/sqlite/quick-check.ts";
import type { Terminal } from "../terminal.ts";

/** Internal: a server runs this command in the background and reads its one JSON document. */
export function addCheckDatabase(program: Command, terminal: Terminal): void {
  program
    .command(CHECK_COMMAND, { hidden: true })
    .description("read every page of a database file, and print what was found as JSON")
    .argument("<file>")
    .action((file) => terminal.print(JSON.stringify(quickCheck(file))));
}
