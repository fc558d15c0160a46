import type { Command } from "@commander-js/extra-typings";

import type { Terminal } from "../terminal.ts";
import { addTokenCreate } from "./token-create.ts";
import { addTokenList } from "./token-list.ts";
import { addTokenRevoke } from "./token-revoke.ts";

/** `parley token …` */
export function addTokenCommands(program: Command, terminal: Terminal): void {
  const token = program.command("token").description("issue, list and revoke embed tokens");
  addTokenCreate(token, terminal);
  addTokenList(token, terminal);
  addTokenRevoke(token, terminal);
}
