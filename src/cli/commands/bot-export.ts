import type { Command } from "@commander-js/extra-typings";

import type { BotDocument } from "../../domain/bot.ts";
import { exportBot } from "../../seed/export-bot.ts";
import type { StoredBot } from "../../store/interface/bots.ts";
import { getBot, openExistingStore } from "../data-folder.ts";
import { addExamples } from "../examples.ts";
import { formatJson } from "../format.ts";
import { addSettings, readConfig } from "../settings-options.ts";
import type { Terminal } from "../terminal.ts";

/** `parley bot export` */
export function addBotExport(bot: Command, terminal: Terminal): void {
  const command = bot
    .command("export")
    .description("print bots as a file that `parley seed` takes: YAML, one document a bot")
    .argument("[bots...]", "ids of bots; without any, all of them")
    .option("--json", "print JSON, which `parley seed` takes too: the bot, or a list where not one is named");
  addExamples(
    addSettings(command, ["data", "store"]),
    "parley bot export acme-support > acme-support.yaml",
    "parley bot export | ssh chat.example parley seed -",
  );
  command.action(async (ids, options) => {
    await using store = await openExistingStore(terminal, readConfig(terminal, options));
    const stored = await (ids.length === 0
      ? store.bots.list()
      : Promise.all(ids.map((id) => getBot(store, id))));
    const documents = stored.map(asDocument);
    if (options.json) return terminal.print(formatJson(ids.length === 1 ? documents[0] : documents));
    terminal.print(documents.map((document) => exportBot(document).trimEnd()).join("\n---\n"));
  });
}

/** Writes `enabled: false` into the document of a disabled bot, so that it is disabled wherever it is seeded. */
function asDocument({ document, enabled }: StoredBot): BotDocument {
  return enabled ? document : { ...document, enabled };
}
