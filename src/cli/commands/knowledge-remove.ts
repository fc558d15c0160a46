import type { Command } from "@commander-js/extra-typings";

import type { StoredBot } from "../../store/interface/bots.ts";
import type { StoredDocument, StoredSource } from "../../store/interface/knowledge.ts";
import type { Store } from "../../store/interface/store.ts";
import { getBot, openExistingStore } from "../data-folder.ts";
import { addExamples } from "../examples.ts";
import { InputError } from "../exit-code.ts";
import { counted, formatJson, printable } from "../format.ts";
import { addSettings, readConfig } from "../settings-options.ts";
import type { Terminal } from "../terminal.ts";

/** `parley knowledge remove` */
export function addKnowledgeRemove(knowledge: Command, terminal: Terminal): void {
  const command = knowledge
    .command("remove")
    .description(
      "remove a source with its documents, or one document, from a bot and from the database's files",
    )
    .argument("<bot>", "id of the bot")
    .argument("<what>", "a source or document, as shown by `knowledge list`")
    .option("--json", "print JSON");
  addExamples(
    addSettings(command, ["data", "store"]),
    "parley knowledge remove acme-support https://acme.example/terms",
    "parley knowledge remove acme-support docs/old-prices.md",
  );
  command.action(async (id, what, options) => {
    await using store = await openExistingStore(terminal, readConfig(terminal, options));
    const bot = await getBot(store, id);
    const sources = await store.knowledge.listSources(bot.key);
    const documents = await store.knowledge.listDocuments(bot.key);
    const source = sources.find(({ name }) => name === what);
    const leaving = documents.filter((document) => document.source === what || document.place === what);
    if (source === undefined && leaving.length === 0)
      throw new InputError(
        `${bot.id} has no source or document \`${what}\`; \`parley knowledge list ${bot.id}\` shows them`,
      );
    await remove(store, bot, { source, leaving });
    const stillNamed = isStillNamed(source, leaving, sources);
    if (options.json)
      return terminal.print(formatJson({ removed: leaving.map(({ place }) => place), stillNamed }));
    terminal.print(`removed ${counted(leaving.length, "document")} of ${bot.id}`);
    if (stillNamed)
      terminal.say(
        `its source still contains ${printable(what)}: the next \`seed\` or \`knowledge refresh\` reads it again, unless it is removed there`,
      );
  });
}

interface Leaving {
  source: StoredSource | undefined;
  leaving: readonly StoredDocument[];
}

async function remove(
  { knowledge, erasure }: Store,
  { key }: StoredBot,
  { source, leaving }: Leaving,
): Promise<void> {
  if (source !== undefined && source.origin !== "bot-file")
    await knowledge.changeSources(key, (stored) =>
      stored.filter(({ name, origin }) => name !== source.name || origin === "bot-file"),
    );
  await knowledge.removeDocuments(
    key,
    leaving.map(({ id }) => id),
  );
  if (leaving.length === 0) return;
  await knowledge.noteChange(key, { stored: 0, removed: leaving.length });
  await erasure.wipeFiles();
}

/**
 * A removed source that an operator had added is gone. A source of the bot file stays, and so does the source of a single removed document.
 */
function isStillNamed(
  source: StoredSource | undefined,
  leaving: readonly StoredDocument[],
  sources: readonly StoredSource[],
): boolean {
  if (source !== undefined) return source.origin === "bot-file" && !source.isRetired;
  return leaving.some((document) =>
    sources.some(
      ({ name, origin, isRetired }) => origin !== "upload" && !isRetired && name === document.source,
    ),
  );
}
