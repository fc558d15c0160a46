import type { Command } from "@commander-js/extra-typings";

import type { Terminal } from "../terminal.ts";
import { addModelCheck } from "./model-check.ts";

/** `parley model …` */
export function addModelCommands(program: Command, terminal: Terminal): void {
  const model = program.command("model").description("model servers of the config file");
  addModelCheck(model, terminal);
}
