import type { Command } from "@commander-js/extra-typings";

import type { BotDocument } from "../../domain/bot.ts";
import { exportBot } from "../../seed/export-bot.ts";
import { currentText } from "../../seed/written-text.ts";
import type { StoredBot } from "../../store/interface/bots.ts";
import type { Store } from "../../store/interface/store.ts";
import { getBot, openExistingStore } from "../data-folder.ts";
import { addExamples } from "../examples.ts";
import { formatJson } from "../format.ts";
import { addSettings, readConfig } from "../settings-options.ts";
import type { Terminal } from "../terminal.ts";

/** `parley bot export` */
export function addBotExport(bot: Command, terminal: Terminal): void {
  const command = bot
    .command("export")
    .description("print bots in the form that `parley seed` reads: YAML, one document per bot")
    .argument("[bots...]", "ids of bots; without any, all bots")
    .option("--json", "print JSON, which `parley seed` reads, too: an object for one named bot, else a list");
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
    if (options.json) {
      const documents = stored.map(asDocument);
      return terminal.print(formatJson(ids.length === 1 ? documents[0] : documents));
    }
    const isStream = stored.length > 1;
    const texts = await Promise.all(stored.map((found) => writtenText(store, found, isStream)));
    terminal.print(texts.map((text) => text.trimEnd()).join("\n---\n"));
  });
}

/** Markers that end a YAML document or stand before it; inside a stream of documents they would change its meaning. */
const MARKS_OF_STREAMS = /^(?:%|\.\.\.)/m;

/**
 * The bot's original text from its file or the console, with comments, if it still has the same content; else YAML written from the stored
 * document.
 */
async function writtenText({ bots }: Store, bot: StoredBot, isInStream: boolean): Promise<string> {
  const { yaml } = (await bots.findWritten(bot.key, bot.version)) ?? {};
  const written = yaml === undefined ? undefined : currentText(yaml, bot);
  const fits = written !== undefined && !(isInStream && MARKS_OF_STREAMS.test(written));
  return fits ? written : exportBot(asDocument(bot));
}

/** Adds `enabled: false` for a disabled bot, so that seeding the export keeps it disabled. */
function asDocument({ document, enabled }: StoredBot): BotDocument {
  return enabled ? document : { ...document, enabled };
}
