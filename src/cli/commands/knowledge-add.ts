import { stat } from "node:fs/promises";
import { resolve } from "node:path";

import { type Command, Option } from "@commander-js/extra-typings";

import { fileFault } from "../../domain/file-fault.ts";
import { PATH_PREFIX_PATTERN, type KnowledgeEntry } from "../../domain/knowledge.ts";
import { addressFault } from "../../knowledge/sources/check-sources.ts";
import { isAddress, knowledgeEntries } from "../../knowledge/sources/source.ts";
import type { StoredSource } from "../../store/interface/knowledge.ts";
import { getBot, openExistingStore } from "../data-folder.ts";
import { addExamples } from "../examples.ts";
import { InputError, UsageError } from "../exit-code.ts";
import { formatJson } from "../format.ts";
import { fetchSettings, refreshBot, sayRefreshed } from "../refresh-bots.ts";
import { addSettings, readConfig } from "../settings-options.ts";
import type { Terminal } from "../terminal.ts";

/** `parley knowledge add` */
export function addKnowledgeAdd(knowledge: Command, terminal: Terminal): void {
  const command = knowledge
    .command("add")
    .description("add documents to those of the bot's file; they are read at once, and `seed` keeps them")
    .argument("<bot>", "id of the bot")
    .argument("<source>", "a file, a folder, or the address of a page")
    .addOption(new Option("--url <url>", "where visitors find the file, or the folder's files"))
    .addOption(new Option("--sitemap", "the address is a sitemap").conflicts("url"))
    .option("--only <prefix...>", "only pages of the sitemap whose paths start with this, such as /help/")
    .option("--strict", "change nothing if a document cannot be read")
    .option("--json", "print JSON");
  addExamples(
    addSettings(command, ["data", "store", "knowledgeHosts"]),
    "parley knowledge add acme-support docs/ --url https://acme.example/docs/",
    "parley knowledge add acme-support https://acme.example/terms",
    "parley knowledge add acme-support https://acme.example/sitemap.xml --sitemap --only /help/",
  );
  command.action(async (id, place, options) => {
    const config = readConfig(terminal, options);
    const entry = await entryOf(place, options);
    await using store = await openExistingStore(terminal, config);
    const bot = await getBot(store, id);
    const [{ name } = { name: place }] = knowledgeEntries({ knowledge: [entry] });
    const isOfFile = (sources: readonly StoredSource[]) =>
      sources.some((source) => source.name === name && source.origin === "bot-file" && !source.isRetired);
    const stored = await store.knowledge.listSources(bot.key);
    if (isOfFile(stored)) throw new InputError(`the bot file of ${bot.id} already names \`${name}\``);
    const added = { name, origin: "command", folder: "/", entry } as const;
    const refreshed = await refreshBot(
      store,
      terminal,
      {
        id: bot.id,
        stored,
        change: (current) =>
          isOfFile(current) ? current : [...current.filter((source) => source.name !== name), added],
        only: new Set([name]),
      },
      { fetching: fetchSettings(config), strict: options.strict ?? false },
    );
    if (options.json) terminal.print(formatJson(refreshed));
    else sayRefreshed(terminal, refreshed);
  });
}

interface EntryOptions {
  url?: string | undefined;
  sitemap?: true | undefined;
  only?: string[] | undefined;
}

/** @throws InputError if there is no such file, or the address is invalid. */
async function entryOf(place: string, { url, sitemap, only }: EntryOptions): Promise<KnowledgeEntry> {
  if (only !== undefined && !sitemap) throw new UsageError("--only needs --sitemap");
  const wrong = only?.find((prefix) => !new RegExp(PATH_PREFIX_PATTERN).test(prefix));
  if (wrong !== undefined) throw new UsageError(`--only must start with /, such as /help/, not \`${wrong}\``);
  const fault = [...(isAddress(place) ? [place] : []), ...(url === undefined ? [] : [url])]
    .map(addressFault)
    .find((found) => found !== undefined);
  if (fault !== undefined) throw new InputError(fault);
  if (isAddress(place)) {
    if (url !== undefined) throw new UsageError("--url is for files; a page has its own address");
    return sitemap ? { sitemap: place, ...(only && { only }) } : place;
  }
  if (sitemap) throw new UsageError(`\`${place}\` is not an address; a sitemap has one`);
  const path = resolve(place);
  await stat(path).catch((error: unknown) => {
    throw new InputError(`${place}: ${fileFault(error)}`);
  });
  return url === undefined ? path : { path, url };
}
