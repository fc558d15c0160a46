import type { Command } from "@commander-js/extra-typings";

import type { ConversationCounts } from "../../store/interface/conversations.ts";
import { getBot, openExistingStore } from "../data-folder.ts";
import { eraseDeletedBots } from "../erase-deleted.ts";
import { addExamples } from "../examples.ts";
import { UsageError } from "../exit-code.ts";
import { counted, printable } from "../format.ts";
import { addSettings, readConfig } from "../settings-options.ts";
import type { Terminal } from "../terminal.ts";

/** `parley bot delete` */
export function addBotDelete(bot: Command, terminal: Terminal): void {
  const command = bot
    .command("delete")
    .description("delete a bot with its conversations and usage, and remove it from embed tokens")
    .argument("<bot>", "id of the bot")
    .option("--yes", "do not ask");
  addExamples(
    addSettings(command, ["data", "store"]),
    "parley bot delete acme-support",
    "parley bot delete acme-support --yes",
  );
  command.action(async (id, options) => {
    const config = readConfig(terminal, options);
    await using store = await openExistingStore(terminal, config);
    const isDeletedAlready = (await store.bots.listDeleted()).some((deleted) => deleted.id === id);
    if (!isDeletedAlready || (await store.bots.find(id))) {
      const { document, key } = await getBot(store, id);
      const what = `"${document.name}" with ${describeKept(await store.conversations.count(key))}`;
      if (!options.yes && !(await isConfirmed(terminal, what))) return terminal.say("nothing was deleted");
      await store.bots.delete(id);
    }
    terminal.say(`${id} is deleted`);
    await eraseDeletedBots(store, terminal, config);
  });
}

async function isConfirmed({ isInteractive, confirm }: Terminal, what: string): Promise<boolean> {
  if (isInteractive) return confirm(`Delete ${printable(what)}?`);
  throw new UsageError(`this deletes ${printable(what)}; confirm with --yes`);
}

function describeKept({ conversations, messages }: ConversationCounts): string {
  if (conversations === 0) return "no conversations yet";
  return `its ${counted(conversations, "conversation")} (${counted(messages, "message")})`;
}
