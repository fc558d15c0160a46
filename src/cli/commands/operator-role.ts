import { Argument, type Command } from "@commander-js/extra-typings";

import { ROLES } from "../../domain/operator/access.ts";
import { openExistingStore } from "../data-folder.ts";
import { addExamples } from "../examples.ts";
import { unknownOperator } from "../operators.ts";
import { addSettings, readConfig } from "../settings-options.ts";
import type { Terminal } from "../terminal.ts";
import { lastOwner } from "./operator-remove.ts";

/** `parley operator role` */
export function addOperatorRole(operator: Command, terminal: Terminal): void {
  const command = operator
    .command("role")
    .description("change an operator's role, which ends their sessions")
    .argument("<name>", "name of the operator")
    .addArgument(new Argument("<role>", "what they may do").choices(ROLES))
    .option("--force", "even if no owner is left");
  addExamples(addSettings(command, ["data", "store"]), "parley operator role bob editor");
  command.action(async (name, role, options) => {
    await using store = await openExistingStore(terminal, readConfig(terminal, options));
    const outcome = await store.operators.setRole(name, role, { force: options.force === true });
    if (outcome === "unknown") throw await unknownOperator(store, name);
    if (outcome === "last_owner") throw lastOwner(name);
    terminal.say(`${name} is now ${role}`);
  });
}
