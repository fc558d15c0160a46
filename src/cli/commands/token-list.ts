import type { Command } from "@commander-js/extra-typings";

import { embedTokenState } from "../../access/embed-token-state.ts";
import type { EpochMs } from "../../domain/time.ts";
import type { StoredEmbedToken } from "../../store/interface/embed-tokens.ts";
import { openExistingStore } from "../data-folder.ts";
import { addExamples } from "../examples.ts";
import { formatInstant, formatJson, formatTable } from "../format.ts";
import { addSettings, readConfig } from "../settings-options.ts";
import type { Terminal } from "../terminal.ts";

const MOST_BOTS = 3;

/** `parley token list` */
export function addTokenList(token: Command, terminal: Terminal): void {
  const command = token
    .command("list")
    .description("list embed tokens by id; the tokens themselves are not stored")
    .option("--json", "print JSON");
  addExamples(addSettings(command, ["data", "store"]), "parley token list", "parley token list --json");
  command.action(async (options) => {
    await using store = await openExistingStore(terminal, readConfig(terminal, options));
    const tokens = (await store.embedTokens.list()).map((stored) => describeToken(stored, terminal.now()));
    if (options.json) return terminal.print(formatJson({ tokens }));
    if (tokens.length === 0)
      return terminal.say("no embed tokens yet; create one with `parley token create`");
    const rows = tokens.map(({ id, state, botIds, label = "", createdAt, expiresAt = "never" }) => [
      id,
      state,
      listBots(botIds),
      label,
      createdAt,
      expiresAt,
    ]);
    terminal.print(formatTable(["ID", "STATE", "BOTS", "LABEL", "CREATED", "EXPIRES"], rows));
  });
}

/** A token may be for more bots than fit on a line; `--json` lists all. */
function listBots(botIds: readonly string[]): string {
  if (botIds.length === 0) return "(none left)";
  const rest = botIds.length - MOST_BOTS;
  // One further bot is named, because "and one more" would not be shorter.
  return rest > 1 ? `${botIds.slice(0, MOST_BOTS).join(", ")} and ${rest} more` : botIds.join(", ");
}

function describeToken(token: StoredEmbedToken, now: EpochMs) {
  const { id, botIds, label, createdAt, expiresAt, revokedAt } = token;
  return {
    id,
    state: embedTokenState(token, now),
    botIds,
    ...(label !== undefined && { label }),
    createdAt: formatInstant(createdAt),
    ...(expiresAt !== undefined && { expiresAt: formatInstant(expiresAt) }),
    ...(revokedAt !== undefined && { revokedAt: formatInstant(revokedAt) }),
  };
}
