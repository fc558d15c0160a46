import type { Command } from "@commander-js/extra-typings";

import { formatOfFile, READABLE } from "../../knowledge/sources/formats/format.ts";
import { DOCUMENT_LIMITS } from "../../knowledge/sources/limits.ts";
import { ParseThread } from "../../knowledge/sources/thread/parse-thread.ts";
import type { StoredBot } from "../../store/interface/bots.ts";
import type { StoredDocument, StoredSource } from "../../store/interface/knowledge.ts";
import type { Store } from "../../store/interface/store.ts";
import { getBot, openExistingStore } from "../data-folder.ts";
import { addExamples } from "../examples.ts";
import { InputError } from "../exit-code.ts";
import { counted, formatJson, printable } from "../format.ts";
import { readBytes } from "../option-values.ts";
import { fetchSettings, refreshBot, sayRefreshed } from "../refresh-bots.ts";
import { addSettings, readConfig } from "../settings-options.ts";
import type { Terminal } from "../terminal.ts";
import { addKnowledgeAdd } from "./knowledge-add.ts";
import { addKnowledgeList } from "./knowledge-list.ts";
import { addKnowledgeSearch } from "./knowledge-search.ts";

/** `parley knowledge …` */
export function addKnowledgeCommands(program: Command, terminal: Terminal): void {
  const knowledge = program.command("knowledge").description("documents that bots answer from");
  addExamples(
    knowledge,
    "parley knowledge list acme-support",
    "parley knowledge refresh acme-support",
    'parley knowledge search acme-support "how long do gift cards last"',
  );
  addKnowledgeAdd(knowledge, terminal);
  addKnowledgeList(knowledge, terminal);
  addKnowledgeRemove(knowledge, terminal);
  addKnowledgeRefresh(knowledge, terminal);
  addKnowledgeSearch(knowledge, terminal);
  addKnowledgeRead(knowledge, terminal);
}

/** `parley knowledge refresh` */
function addKnowledgeRefresh(knowledge: Command, terminal: Terminal): void {
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

/** `parley knowledge remove` */
function addKnowledgeRemove(knowledge: Command, terminal: Terminal): void {
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

/** `parley knowledge read` */
function addKnowledgeRead(knowledge: Command, terminal: Terminal): void {
  const command = knowledge
    .command("read")
    .description(
      "print as JSON how a file would be read: title and passages, or the error; nothing is stored",
    )
    .argument("<file>", READABLE);
  addExamples(command, "parley knowledge read docs/handbook.pdf");
  command.action(async (file) => {
    const format = formatOfFile(file);
    if (format === undefined) throw new InputError(`${file} is not ${READABLE}`);
    using parser = new ParseThread();
    const bytes = readBytes(file);
    terminal.print(JSON.stringify(await parser.parse({ format, bytes, limits: DOCUMENT_LIMITS })));
  });
}
