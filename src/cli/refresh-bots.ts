import type { Config } from "../config/config.ts";
import type { BotDocument } from "../domain/bot.ts";
import type { FetchSettings } from "../knowledge/sources/fetch/fetcher.ts";
import {
  faultsOf,
  type ReadKnowledge,
  readKnowledge,
  type RefreshedKnowledge,
  type RefreshedSource,
  type SkippedGroup,
  type SourcesToRead,
  sourcesOfFile,
  storeKnowledge,
  withCommandSources,
} from "../operate/refresh-knowledge.ts";
import type { ChangeSources } from "../store/interface/knowledge.ts";
import type { Store } from "../store/interface/store.ts";
import { InputError } from "./exit-code.ts";
import { counted, printable } from "./format.ts";
import { Progress } from "./progress.ts";
import { countMistakes } from "./read-bot-files.ts";
import type { Terminal } from "./terminal.ts";

/** A bot whose sources are to be read. */
export interface BotToRead extends Pick<SourcesToRead, "stored" | "change" | "only"> {
  id: string;
}

/** A bot from a file, with the folder that its paths are relative to. */
export interface BotFromFile {
  document: BotDocument;
  folder: string;
}

/** The hosts that documents may be fetched from. */
export function fetchSettings({ knowledgeHosts }: Pick<Config, "knowledgeHosts">): FetchSettings {
  return { allowedHosts: new Set(knowledgeHosts) };
}

/** Bots that have or had documents, with the sources in their files. */
export async function botsToRead(
  { bots, knowledge }: Pick<Store, "bots" | "knowledge">,
  fromFiles: readonly BotFromFile[],
): Promise<BotToRead[]> {
  const known = await knowledge.generations();
  const toRead: BotToRead[] = [];
  for (const { document, folder } of fromFiles) {
    const bot = await bots.find(document.id);
    const ofFile = sourcesOfFile(document, folder);
    const stored = bot === undefined ? [] : await knowledge.listSources(bot.key);
    const change: ChangeSources = (current) => withCommandSources(ofFile, current);
    const had = stored.length > 0 || (bot !== undefined && known.has(bot.key));
    if (change(stored).length > 0 || had) toRead.push({ id: document.id, stored, change });
  }
  return toRead;
}

/** Results of reading, by bot id. */
export type KnowledgeByBot = ReadonlyMap<string, ReadKnowledge>;

/** Reads new and changed documents, with progress. Nothing is stored. */
export async function readBots(
  { bots, knowledge }: Pick<Store, "bots" | "knowledge">,
  terminal: Terminal,
  toRead: readonly BotToRead[],
  fetching: FetchSettings,
): Promise<KnowledgeByBot> {
  using progress = new Progress(terminal);
  const read = new Map<string, ReadKnowledge>();
  for (const { id, ...sources } of toRead) {
    const bot = await bots.find(id);
    const known = bot === undefined ? [] : await knowledge.listDocuments(bot.key);
    const onDocument = ({ done, total, place }: { done: number; total: number; place: string }) =>
      progress.report(`reading ${printable(place)} for ${id}, ${done + 1} of ${total}`, done / total);
    read.set(id, await readKnowledge({ now: terminal.now, fetching, onDocument }, { ...sources, known }));
  }
  return read;
}

/** Everything that could not be read, with its bot. */
function faultsIn(read: KnowledgeByBot): string[] {
  return [...read].flatMap(([id, knowledge]) => faultsOf(knowledge).map((fault) => `${id}: ${fault}`));
}

/** Stores the results, with progress. */
export async function storeRead(
  { bots, knowledge }: Pick<Store, "bots" | "knowledge">,
  terminal: Terminal,
  read: KnowledgeByBot,
): Promise<Map<string, RefreshedKnowledge>> {
  using progress = new Progress(terminal);
  const refreshed = new Map<string, RefreshedKnowledge>();
  for (const [id, found] of read) {
    const bot = await bots.find(id);
    if (!bot) continue;
    const onStored = (share: number) => progress.report(`indexing documents of ${id}`, share);
    refreshed.set(id, await storeKnowledge(knowledge, bot.key, found, onStored));
  }
  return refreshed;
}

/**
 * Reads and stores the sources of one bot.
 *
 * @throws InputError if something cannot be read and nothing may be changed then, or if the bot was deleted.
 */
export async function refreshBot(
  store: Store,
  terminal: Terminal,
  bot: BotToRead,
  { fetching, strict }: { fetching: FetchSettings; strict: boolean },
): Promise<RefreshedKnowledge> {
  const read = await readBots(store, terminal, [bot], fetching);
  if (strict) refuseFaults(terminal, read);
  const refreshed = (await storeRead(store, terminal, read)).get(bot.id);
  if (refreshed) return refreshed;
  throw new InputError(`${bot.id} was deleted in the meantime`);
}

/** Prints the result for one bot's sources. */
export function sayRefreshed(terminal: Terminal, refreshed: RefreshedKnowledge): void {
  const lines = describeRefreshed(refreshed);
  if (lines.length > 0)
    terminal.print(lines.map((line) => line.replace(/^ {2}(?:knowledge {2})?/, "")).join("\n"));
}

/** @throws InputError if something cannot be read; each fault has been printed. */
export function refuseFaults(terminal: Terminal, read: KnowledgeByBot): void {
  const faults = faultsIn(read);
  for (const fault of faults) terminal.say(printable(fault));
  if (faults.length > 0) throw new InputError(`${countMistakes(faults.length)}; nothing was changed`);
}

/** One line for each source, for each reason why documents were left out, and for removed documents. */
export function describeRefreshed({ sources, removed }: RefreshedKnowledge): string[] {
  return [
    ...sources.flatMap(describeSource),
    ...(removed > 0 ? [`  knowledge  ${counted(removed, "document")} left`] : []),
  ];
}

function describeSource({
  name,
  documents,
  passages,
  stored,
  unreadable,
  skipped,
}: RefreshedSource): string[] {
  const news = stored > 0 ? `, ${stored} new or changed` : "";
  const before = skipped.reduce((sum, group) => sum + group.places.length - group.news.length, 0);
  const asBefore = before > 0 ? `, ${before} skipped as before` : "";
  const counts = `${counted(documents, "document")}, ${counted(passages, "passage")}${news}${asBefore}`;
  const state =
    unreadable === undefined ? counts : `could not be read: ${unreadable}; ${keptOf(documents, passages)}`;
  return [`  knowledge  ${printable(name)}: ${printable(state)}`, ...skipped.flatMap(describeSkipped)];
}

function keptOf(documents: number, passages: number): string {
  if (documents === 0) return "nothing of it is stored";
  return `${counted(documents, "document")} and ${counted(passages, "passage")} are kept`;
}

/** Names shown for each reason. */
const MAX_PLACES = 3;

/** Documents left out for the same reason at the previous reading have been reported then. */
function describeSkipped({ reason, news, isKept }: SkippedGroup): string[] {
  if (news.length === 0) return [];
  const shown = news.slice(0, MAX_PLACES).join(", ");
  const more = news.length > MAX_PLACES ? ` and ${news.length - MAX_PLACES} more` : "";
  const kept = isKept ? "; the earlier content is kept" : "";
  return [printable(`    skipped ${news.length} (${reason}${kept}): ${shown}${more}`)];
}
