import type { Command } from "@commander-js/extra-typings";

import { openExistingStore } from "../data-folder.ts";
import { addExamples } from "../examples.ts";
import { InputError } from "../exit-code.ts";
import { counted } from "../format.ts";
import { unknownOperator } from "../operators.ts";
import { addSettings, readConfig } from "../settings-options.ts";
import type { Terminal } from "../terminal.ts";

/** `parley operator remove` */
export function addOperatorRemove(operator: Command, terminal: Terminal): void {
  const command = operator
    .command("remove")
    .description("remove an operator with their sessions and keys; running servers follow at once")
    .argument("<name>", "name of the operator")
    .option("--force", "even the last owner");
  addExamples(addSettings(command, ["data", "store"]), "parley operator remove bob");
  command.action(async (name, options) => {
    await using store = await openExistingStore(terminal, readConfig(terminal, options));
    const known = await store.operators.find(name);
    const keys = (await store.operatorKeys.list()).filter(({ createdBy }) => createdBy === known?.name);
    const outcome = await store.operators.remove(name, { force: options.force === true });
    if (outcome === "unknown") throw await unknownOperator(store, name);
    if (outcome === "last_owner") throw lastOwner(name);
    terminal.say(
      `${known?.name ?? name} is removed${keys.length > 0 ? `, with ${counted(keys.length, "key")}` : ""}`,
    );
  });
}

/** The last owner stays: without one, operators could only be added by this command. */
export function lastOwner(name: string): InputError {
  return new InputError(
    `\`${name}\` is the last owner; make another operator an owner first, or add --force`,
  );
}
