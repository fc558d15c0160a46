import type { Command } from "@commander-js/extra-typings";

import { getBot, openExistingStore } from "../data-folder.ts";
import { addExamples } from "../examples.ts";
import { UsageError } from "../exit-code.ts";
import { addSettings, readConfig } from "../settings-options.ts";
import type { Terminal } from "../terminal.ts";

/** `parley bot delete` */
export function addBotDelete(bot: Command, terminal: Terminal): void {
  const command = bot
    .command("delete")
    .description("delete a bot with its conversations, its usage and its grants in embed tokens")
    .argument("<bot>", "id of the bot")
    .option("--yes", "do not ask");
  addExamples(
    addSettings(command, ["data"]),
    "parley bot delete acme-support",
    "parley bot delete acme-support --yes",
  );
  command.action(async (id, options) => {
    await using store = openExistingStore(terminal, readConfig(terminal, options));
    const { document } = getBot(store, id);
    if (!options.yes && !(await isConfirmed(terminal, document.name)))
      return terminal.say("nothing was deleted");
    store.bots.delete(id);
    terminal.say(`${id} is deleted`);
  });
}

async function isConfirmed({ isInteractive, confirm }: Terminal, name: string): Promise<boolean> {
  if (isInteractive) return confirm(`Delete "${name}" with all its conversations?`);
  throw new UsageError("this deletes the bot with all its conversations; confirm with --yes");
}
