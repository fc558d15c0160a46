import type { Command } from "@commander-js/extra-typings";

import type { StoredDocument, StoredSource } from "../../store/interface/knowledge.ts";
import { getBot, openExistingStore } from "../data-folder.ts";
import { addExamples } from "../examples.ts";
import { formatInstant, formatJson, formatTable } from "../format.ts";
import { addSettings, readConfig } from "../settings-options.ts";
import type { Terminal } from "../terminal.ts";

/** `parley knowledge list` */
export function addKnowledgeList(knowledge: Command, terminal: Terminal): void {
  const command = knowledge
    .command("list")
    .description("list a bot's documents and their sources")
    .argument("<bot>", "id of the bot")
    .option("--json", "print JSON");
  addExamples(addSettings(command, ["data", "store"]), "parley knowledge list acme-support");
  command.action(async (id, options) => {
    await using store = await openExistingStore(terminal, readConfig(terminal, options));
    const { key } = await getBot(store, id);
    const sources = await store.knowledge.listSources(key);
    const documents = await store.knowledge.listDocuments(key);
    if (options.json)
      return terminal.print(
        formatJson({
          sources: sources.map((source) => sourceAsJson(source, documents)),
          documents: documents.map(documentAsJson),
        }),
      );
    if (sources.length + documents.length === 0) return terminal.say(`${id} has no documents`);
    terminal.print(
      [
        formatTable(
          ["SOURCE", "FROM", "DOCUMENTS", "PASSAGES", "READ"],
          sources.map((source) => sourceRow(source, documents)),
        ),
        "",
        formatTable(["DOCUMENT", "PASSAGES", "TITLE", "ADDRESS"], documents.map(documentRow)),
      ].join("\n"),
    );
  });
}

function countsOf({ name }: StoredSource, documents: readonly StoredDocument[]) {
  const own = documents.filter(({ source }) => source === name);
  return { documents: own.length, passages: own.reduce((sum, { passages }) => sum + passages, 0) };
}

function sourceAsJson(source: StoredSource, documents: readonly StoredDocument[]) {
  const { name, origin, folder, outcome, isRetired } = source;
  return {
    name,
    origin,
    folder,
    ...(isRetired && { isRetired }),
    ...countsOf(source, documents),
    readAt: outcome === undefined ? null : formatInstant(outcome.at),
    unreadable: outcome?.unreadable ?? null,
    skipped: outcome?.skipped ?? [],
  };
}

function documentAsJson({ place, source, title, url, passages }: StoredDocument) {
  return { place, source, title, url: url ?? null, passages };
}

const NAMED_BY: Readonly<Record<StoredSource["origin"], string>> = {
  "bot-file": "bot file",
  command: "knowledge add",
  upload: "uploads",
};

function sourceRow(source: StoredSource, all: readonly StoredDocument[]): string[] {
  const { name, origin, outcome, isRetired } = source;
  const { documents, passages } = countsOf(source, all);
  return [
    name,
    isRetired ? "no longer" : NAMED_BY[origin],
    String(documents),
    String(passages),
    readAt(outcome),
  ];
}

function readAt(outcome: StoredSource["outcome"]): string {
  if (outcome === undefined) return "not yet";
  const fault = outcome.unreadable === undefined ? "" : `: could not be read, ${outcome.unreadable}`;
  const skipped = outcome.skipped.length === 0 ? "" : `, ${outcome.skipped.length} skipped`;
  return `${formatInstant(outcome.at)}${skipped}${fault}`;
}

function documentRow({ place, passages, title, url }: StoredDocument): string[] {
  return [place, String(passages), title, url ?? "none"];
}
