import type { Command } from "@commander-js/extra-typings";

import { hashEmbedToken, parseEmbedToken } from "../../access/embed-token.ts";
import { didYouMean } from "../../domain/closest-name.ts";
import type { Store } from "../../store/interface/store.ts";
import { openExistingStore } from "../data-folder.ts";
import { addExamples } from "../examples.ts";
import { InputError } from "../exit-code.ts";
import { addSettings, readConfig } from "../settings-options.ts";
import type { Terminal } from "../terminal.ts";

/** `parley token revoke` */
export function addTokenRevoke(token: Command, terminal: Terminal): void {
  const command = token
    .command("revoke")
    .description("revoke an embed token; running servers reject it within a second")
    .argument("<token-id>", "id that `parley token list` shows, or the token itself");
  addExamples(addSettings(command, ["data", "store"]), "parley token revoke et_…");
  command.action(async (given, options) => {
    await using store = await openExistingStore(terminal, readConfig(terminal, options));
    const id = await idOf(store, given);
    if (!(await store.embedTokens.revoke(id))) throw await unknownToken(store, id);
    terminal.say(`${id} is revoked`);
  });
}

/** Accepts a token instead of its id: an operator who learns of a leaked token often has nothing else. */
async function idOf({ embedTokens }: Store, given: string): Promise<string> {
  const embedToken = parseEmbedToken(given);
  return (embedToken && (await embedTokens.findByHash(hashEmbedToken(embedToken)))?.id) ?? given;
}

async function unknownToken({ embedTokens }: Store, id: string): Promise<InputError> {
  if (parseEmbedToken(id)) return new InputError("this token is unknown here");
  const known = (await embedTokens.list()).map((stored) => stored.id);
  return new InputError(`no embed token \`${id}\`${didYouMean(id, known)}`);
}
