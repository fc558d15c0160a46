import type { Command } from "@commander-js/extra-typings";

import type { StoredBot } from "../../store/interface/bots.ts";
import type { StoredSource } from "../../store/interface/knowledge.ts";
import type { Store } from "../../store/interface/store.ts";
import { getBot, openExistingStore } from "../data-folder.ts";
import { addExamples } from "../examples.ts";
import { InputError } from "../exit-code.ts";
import { formatJson } from "../format.ts";
import { fetchSettings, refreshBot, sayRefreshed } from "../refresh-bots.ts";
import { addSettings, readConfig } from "../settings-options.ts";
import type { Terminal } from "../terminal.ts";

/** `parley knowledge refresh` */
export function addKnowledgeRefresh(knowledge: Command, terminal: Terminal): void {
  const command = knowledge
    .command("refresh")
    .description(
      "read a bot's document sources again; unchanged documents are not read, and missing ones are removed",
    )
    .argument("<bot>", "id of the bot")
    .argument("[source...]", "as shown by `knowledge list`; without it, all sources")
    .option("--strict", "change nothing if a document cannot be read")
    .option("--json", "print JSON");
  addExamples(
    addSettings(command, ["data", "store", "knowledgeHosts"]),
    "parley knowledge refresh acme-support",
    "parley knowledge refresh acme-support https://acme.example/sitemap.xml",
  );
  command.action(async (id, names, options) => {
    const config = readConfig(terminal, options);
    await using store = await openExistingStore(terminal, config);
    const bot = await getBot(store, id);
    const sources = await store.knowledge.listSources(bot.key);
    const only = chosen(sources, names, bot);
    const { strict = false, json } = options;
    const refreshed = await refreshBot(
      store,
      terminal,
      { id: bot.id, stored: sources, change: (current) => current, ...(only && { only }) },
      { fetching: fetchSettings(config), strict },
    );
    if (json) terminal.print(formatJson(refreshed));
    else sayRefreshed(terminal, refreshed);
    await warnWithoutSources(terminal, store, bot);
  });
}

function chosen(
  sources: readonly StoredSource[],
  names: readonly string[],
  { id }: StoredBot,
): ReadonlySet<string> | undefined {
  if (names.length === 0) return undefined;
  const unknown = names.find((name) => sources.every((source) => source.isRetired || source.name !== name));
  if (unknown === undefined) return new Set(names);
  throw new InputError(
    `${id} has no source \`${unknown}\`; \`parley knowledge list ${id}\` shows its sources`,
  );
}

async function warnWithoutSources(terminal: Terminal, { knowledge }: Store, bot: StoredBot): Promise<void> {
  if ((await knowledge.listSources(bot.key)).some(({ isRetired }) => !isRetired)) return;
  terminal.say(`${bot.id} has no documents: add \`knowledge\` to its file, or use \`parley knowledge add\``);
}
