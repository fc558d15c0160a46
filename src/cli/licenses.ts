import { readFileSync } from "node:fs";

import { type Command, CommanderError } from "@commander-js/extra-typings";

import licenses from "../../docs/NOTICE.md" with { type: "file" };
import type { Terminal } from "./terminal.ts";

/** `parley --licenses`. From the sources only the notice is printed, because no packages are bundled there. */
export function addLicenses(program: Command, terminal: Terminal): void {
  program.option("--licenses", "print the licenses of Parley and its packages");
  program.on("option:licenses", () => {
    terminal.print(readFileSync(licenses, "utf8").trimEnd());
    throw new CommanderError(0, "parley.licenses", "");
  });
}
