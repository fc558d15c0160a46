import type { Command } from "@commander-js/extra-typings";

import type { StoredOperator } from "../../store/interface/operators.ts";
import { openExistingStore } from "../data-folder.ts";
import { addExamples } from "../examples.ts";
import { formatInstant, formatJson, formatTable } from "../format.ts";
import { addSettings, readConfig } from "../settings-options.ts";
import type { Terminal } from "../terminal.ts";

/** `parley operator list` */
export function addOperatorList(operator: Command, terminal: Terminal): void {
  const command = operator
    .command("list")
    .description("list operators with their roles and the time they were last seen")
    .option("--json", "print JSON");
  addExamples(addSettings(command, ["data", "store"]), "parley operator list", "parley operator list --json");
  command.action(async (options) => {
    await using store = await openExistingStore(terminal, readConfig(terminal, options));
    const operators = (await store.operators.list()).map(describe);
    if (options.json) return terminal.print(formatJson({ operators }));
    if (operators.length === 0) {
      return terminal.say("no operators yet; add one with `parley operator add NAME --role owner`");
    }
    const rows = operators.map(({ name, role, hasPassword, createdAt, lastSeenAt = "never" }) => [
      name,
      role,
      hasPassword ? "password" : "links",
      createdAt,
      lastSeenAt,
    ]);
    terminal.print(formatTable(["NAME", "ROLE", "SIGNS IN BY", "ADDED", "LAST SEEN"], rows));
  });
}

function describe({ name, role, passwordHash, createdAt, lastSeenAt }: StoredOperator) {
  return {
    name,
    role,
    hasPassword: passwordHash !== undefined,
    createdAt: formatInstant(createdAt),
    ...(lastSeenAt !== undefined && { lastSeenAt: formatInstant(lastSeenAt) }),
  };
}
