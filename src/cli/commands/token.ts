import type { Command } from "@commander-js/extra-typings";

import { addExamples } from "../examples.ts";
import type { Terminal } from "../terminal.ts";
import { addTokenCreate } from "./token-create.ts";
import { addTokenList } from "./token-list.ts";
import { addTokenRevoke } from "./token-revoke.ts";

/** `parley token …` */
export function addTokenCommands(program: Command, terminal: Terminal): void {
  const token = program.command("token").description("create, list and revoke embed tokens");
  addExamples(token, "parley token create --bot acme-support", "parley token list");
  addTokenCreate(token, terminal);
  addTokenList(token, terminal);
  addTokenRevoke(token, terminal);
}
