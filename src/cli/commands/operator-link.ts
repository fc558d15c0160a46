import type { Command } from "@commander-js/extra-typings";

import { openExistingStore } from "../data-folder.ts";
import { addExamples } from "../examples.ts";
import { formatJson } from "../format.ts";
import { LINK_SETTINGS, makeSignInLink, sayLink } from "../operators.ts";
import { addSettings, readConfig } from "../settings-options.ts";
import type { Terminal } from "../terminal.ts";

/** `parley operator link` */
export function addOperatorLink(operator: Command, terminal: Terminal): void {
  const command = operator
    .command("link")
    .description("print a sign-in link, valid once and for 15 minutes; it replaces earlier ones")
    .argument("<name>", "name of the operator")
    .option("--json", "print JSON");
  addExamples(addSettings(command, LINK_SETTINGS), "parley operator link ann");
  command.action(async (name, options) => {
    const config = readConfig(terminal, options);
    await using store = await openExistingStore(terminal, config);
    const link = await makeSignInLink(store, terminal, config, name);
    if (options.json) return terminal.print(formatJson({ name, link }));
    sayLink(terminal, `${name} can sign in`, link);
  });
}
