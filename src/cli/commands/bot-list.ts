import type { Command } from "@commander-js/extra-typings";

import { openExistingStore } from "../data-folder.ts";
import { addExamples } from "../examples.ts";
import { formatInstant, formatJson, formatTable } from "../format.ts";
import { addSettings, readConfig } from "../settings-options.ts";
import type { Terminal } from "../terminal.ts";

/** `parley bot list` */
export function addBotList(bot: Command, terminal: Terminal): void {
  const command = bot.command("list").description("list all bots").option("--json", "print JSON");
  addExamples(addSettings(command, ["data", "store"]), "parley bot list", "parley bot list --json");
  command.action(async (options) => {
    await using store = await openExistingStore(terminal, readConfig(terminal, options));
    const stored = await store.bots.outline();
    const keys = stored.map(({ key }) => key);
    const usage = await store.readUsage(keys, terminal.now());
    const bots = stored.map(({ key, id, name, enabled, version, updatedAt }) => ({
      id,
      name,
      enabled,
      version,
      messagesThisMonth: usage.get(key)?.messages ?? 0,
      updatedAt: formatInstant(updatedAt),
    }));
    if (options.json) return terminal.print(formatJson({ bots }));
    if (bots.length === 0) return terminal.say("no bots yet; add some with `parley seed`");
    const rows = bots.map(({ id, name, enabled, version, messagesThisMonth, updatedAt }) => [
      id,
      name,
      enabled ? "enabled" : "disabled",
      String(version),
      String(messagesThisMonth),
      updatedAt,
    ]);
    terminal.print(formatTable(["ID", "NAME", "STATE", "VERSION", "MESSAGES THIS MONTH", "UPDATED"], rows));
  });
}
