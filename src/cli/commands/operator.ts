import type { Command } from "@commander-js/extra-typings";

import { addExamples } from "../examples.ts";
import type { Terminal } from "../terminal.ts";
import { addOperatorAdd } from "./operator-add.ts";
import { addOperatorLink } from "./operator-link.ts";
import { addOperatorList } from "./operator-list.ts";
import { addOperatorRemove } from "./operator-remove.ts";
import { addOperatorRole } from "./operator-role.ts";

/** `parley operator …` */
export function addOperatorCommands(program: Command, terminal: Terminal): void {
  const operator = program
    .command("operator")
    .description("manage operators, who may use the API and console of the operator listener");
  addExamples(operator, "parley operator add ann --role owner", "parley operator list");
  addOperatorAdd(operator, terminal);
  addOperatorList(operator, terminal);
  addOperatorLink(operator, terminal);
  addOperatorRole(operator, terminal);
  addOperatorRemove(operator, terminal);
}
