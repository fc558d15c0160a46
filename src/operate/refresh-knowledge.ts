import { type BotKnowledge, knowledgeInMemory } from "../bots/bot-knowledge.ts";
import type { BotDocument } from "../domain/bot.ts";
import type { EpochMs, Now } from "../domain/time.ts";
import { packTerms, termsOfPassage } from "../knowledge/packed-terms.ts";
import { type Passage, titleOf } from "../knowledge/passage.ts";
import { collectKnowledge } from "../knowledge/sources/collect.ts";
import type {
  Collected,
  CollectedDocument,
  CollectedSource,
  Skipped,
} from "../knowledge/sources/collected.ts";
import type { FetchSettings } from "../knowledge/sources/fetch/fetcher.ts";
import { READABLE } from "../knowledge/sources/formats/format.ts";
import type { SourceProgress } from "../knowledge/sources/run.ts";
import { knowledgeEntries, knowledgeSources } from "../knowledge/sources/source.ts";
import type { BotKey } from "../store/interface/bots.ts";
import type {
  ChangeSources,
  DocumentToStore,
  StoredDocument,
  StoredSource,
} from "../store/interface/knowledge.ts";
import type { Knowledge } from "../store/interface/store.ts";

/** The source of uploads: an address that no bot file can name. */
export const UPLOADS = "upload://";

/** A reason for leaving documents out, with the documents. */
export interface SkippedGroup {
  reason: string;
  places: readonly string[];
  /** Their earlier content stays. */
  isKept: boolean;
  /** Those that were not left out for this reason at the previous reading. */
  news: readonly string[];
}

/** Result for one source. */
export interface RefreshedSource {
  name: string;
  /** Documents and passages now used for answers. */
  documents: number;
  passages: number;
  /** Documents that are new or changed. */
  stored: number;
  /** Why the source could not be read; its earlier content stays. */
  unreadable?: string;
  skipped: readonly SkippedGroup[];
}

/** Result for a bot's documents. */
export interface RefreshedKnowledge {
  sources: readonly RefreshedSource[];
  stored: number;
  removed: number;
}

/** The parts needed to read documents. */
export interface ReadKnowledgeParts {
  now: Now;
  fetching: FetchSettings;
  /** Called before each document is read. */
  onDocument?: (progress: SourceProgress) => void;
}

/** The sources of a bot to read. */
export interface SourcesToRead {
  /** As stored now. */
  stored: readonly StoredSource[];
  /** The intended change. It is applied again when the result is stored, because sources may change during the minutes of reading. */
  change: ChangeSources;
  /** The documents stored now. */
  known: readonly StoredDocument[];
  /** Names of the sources to read; absent: all. Others stay as they are. */
  only?: ReadonlySet<string>;
}

/** The result of reading a bot's sources, to be stored with `storeKnowledge`. */
export interface ReadKnowledge {
  /** Including the results of reading. */
  change: ChangeSources;
  collected: readonly CollectedSource[];
  documents: readonly CollectedDocument[];
  /** Documents left out of each source at the previous reading, by name. */
  skippedBefore: ReadonlyMap<string, readonly Skipped[]>;
  /** Documents that are no longer in their source. */
  gone: readonly string[];
  known: readonly StoredDocument[];
  /** Whether all sources were read. Documents of retired sources are deleted only then. */
  isWhole: boolean;
}

/** The sources named by a bot file, relative to its folder. */
export function sourcesOfFile(document: Pick<BotDocument, "knowledge">, folder: string): StoredSource[] {
  return knowledgeEntries(document).map(({ name, entry }) => ({ name, origin: "bot-file", folder, entry }));
}

/** The sources named by a bot file and those added by operators. */
export function withCommandSources(
  ofFile: readonly StoredSource[],
  stored: readonly StoredSource[],
): StoredSource[] {
  const names = new Set(ofFile.map(({ name }) => name));
  const added = stored.filter(({ name, origin }) => origin !== "bot-file" && !names.has(name));
  return [...ofFile, ...added];
}

/** Reads new and changed documents of a bot's sources. Nothing is stored. */
export async function readKnowledge(
  { now, fetching, onDocument }: ReadKnowledgeParts,
  { stored, change, known, only }: SourcesToRead,
): Promise<ReadKnowledge> {
  // Uploads cannot be read again.
  const toRead = change(stored).filter(
    ({ name, origin, isRetired }) => origin !== "upload" && !isRetired && (only?.has(name) ?? true),
  );
  const runs: Collected[] = [];
  for (const [folder, some] of Map.groupBy(toRead, (source) => source.folder)) {
    const own = new Set(some.map(({ name }) => name));
    const order = {
      sources: knowledgeSources({ knowledge: some.map(({ entry }) => entry) }),
      folder,
      known: known.filter(({ source }) => own.has(source)),
    };
    runs.push(await collectKnowledge(order, { fetching, ...(onDocument && { report: onDocument }) }));
  }
  const collected = runs.flatMap((run) => run.sources);
  const at = now();
  return {
    change: (current) => withOutcomes(change(current), collected, at),
    collected,
    documents: collected.flatMap((source) => source.documents),
    skippedBefore: new Map(stored.map(({ name, outcome }) => [name, outcome?.skipped ?? []])),
    gone: runs.flatMap(({ removed }) => removed),
    known,
    isWhole: only === undefined,
  };
}

function withOutcomes(
  sources: readonly StoredSource[],
  collected: readonly CollectedSource[],
  at: EpochMs,
): StoredSource[] {
  const byName = new Map(collected.map((source) => [source.name, source]));
  return sources.map((source) => {
    const run = byName.get(source.name);
    if (run === undefined) return source;
    const { unreadable, skipped } = run;
    return { ...source, outcome: { at, skipped, ...(unreadable !== undefined && { unreadable }) } };
  });
}

/** The bot's documents after the result is stored. @param bot undefined: the bot does not exist yet */
export async function knowledgeOnceStored(
  knowledge: Pick<Knowledge, "listSources" | "listPassageIds" | "findPassages">,
  bot: BotKey | undefined,
  read: ReadKnowledge,
): Promise<BotKnowledge> {
  const [sources, ids] = bot
    ? [await knowledge.listSources(bot), await knowledge.listPassageIds(bot)]
    : [[], []];
  const replaced = new Set([...removedOf(read, read.change(sources)), ...read.documents.map(({ id }) => id)]);
  const kept = [...(await knowledge.findPassages(ids)).values()];
  const passages = [
    ...kept.filter(({ documentId }) => !replaced.has(documentId)),
    ...passagesOf(read.documents),
  ];
  return knowledgeInMemory(new Map(passages.map((passage, index) => [index + 1, passage])));
}

/** Passages of documents that are not stored. */
export function passagesOf(documents: readonly CollectedDocument[]): Passage[] {
  return documents.flatMap(({ id, title, url, passages }) =>
    passages.map((passage) => ({ documentId: id, title, ...(url !== undefined && { url }), ...passage })),
  );
}

/** Sources and documents that could not be read. Files of unsupported types are not faults. */
export function faultsOf({ collected }: ReadKnowledge): string[] {
  return collected.flatMap(({ name, unreadable, skipped }) => [
    ...(unreadable === undefined ? [] : [`${name}: ${unreadable}`]),
    ...skipped
      .filter(({ reason }) => reason !== `is not ${READABLE}`)
      .map(({ place, reason }) => `${place}: ${reason}`),
  ]);
}

/**
 * Stores the result in small steps; a running server uses it within a second. Concurrent changes are kept: a removed source is not
 * restored, and an added one is not lost.
 */
export async function storeKnowledge(
  knowledge: Knowledge,
  bot: BotKey,
  read: ReadKnowledge,
  onStored: (share: number) => void = () => {},
): Promise<RefreshedKnowledge> {
  const { collected, skippedBefore } = read;
  const { after } = await knowledge.changeSources(bot, read.change);
  const names = new Set(after.map(({ name }) => name));
  const documents = read.documents.filter(({ source }) => names.has(source));
  const removed = removedOf(read, after);
  const total = documents.reduce((sum, { passages }) => sum + passages.length, 0);
  let done = 0;
  // Terms are computed just before a document is stored, so that they are not all in memory at once.
  for (const some of inPortions(documents)) {
    await knowledge.saveDocuments(bot, some.map(withTerms), (passages) => {
      done += passages;
      onStored(total === 0 ? 1 : done / total);
    });
  }
  await knowledge.removeDocuments(bot, removed);
  const change = { stored: documents.length, removed: removed.length };
  if (change.stored + change.removed > 0) await knowledge.noteChange(bot, change);
  const stored = await knowledge.listDocuments(bot);
  return {
    sources: collected.map((source) => describeSource(source, stored, skippedBefore.get(source.name))),
    ...change,
  };
}

/**
 * Documents no longer in their source, and those without a source. Documents of a source that was retired during the reading stay until the
 * next one.
 */
function removedOf(
  { documents, collected, gone, known, isWhole }: ReadKnowledge,
  sources: readonly StoredSource[],
): string[] {
  const wereRead = new Set(collected.map(({ name }) => name));
  const naming = sources.filter(({ name, isRetired }) => !isRetired || !isWhole || wereRead.has(name));
  const names = new Set([UPLOADS, ...naming.map(({ name }) => name)]);
  const orphans = known.filter(({ source }) => !names.has(source)).map(({ id }) => id);
  const present = new Set(documents.map(({ id }) => id));
  return [...gone, ...orphans].filter((id) => !present.has(id));
}

/** Passages whose terms are in memory at a time. */
const PORTION = 2000;

function* inPortions(documents: readonly CollectedDocument[]): Generator<CollectedDocument[]> {
  let portion: CollectedDocument[] = [];
  let passages = 0;
  for (const document of documents) {
    portion.push(document);
    passages += document.passages.length;
    if (passages < PORTION) continue;
    yield portion;
    [portion, passages] = [[], 0];
  }
  if (portion.length > 0) yield portion;
}

function withTerms({ passages, ...document }: CollectedDocument): DocumentToStore {
  const { title } = document;
  return {
    ...document,
    passages: passages.map((passage) => ({
      ...passage,
      terms: packTerms(termsOfPassage(titleOf({ title, headingPath: passage.headingPath }), passage.body)),
    })),
  };
}

function describeSource(
  { name, documents, unreadable, skipped }: CollectedSource,
  stored: readonly StoredDocument[],
  skippedBefore: readonly Skipped[] = [],
): RefreshedSource {
  const own = stored.filter(({ source }) => source === name);
  const before = new Map(skippedBefore.map(({ place, reason }) => [place, reason]));
  const groups = Map.groupBy(skipped, ({ reason, isKept }) => `${isKept} ${reason}`);
  return {
    name,
    documents: own.length,
    passages: own.reduce((sum, { passages }) => sum + passages, 0),
    stored: documents.length,
    ...(unreadable !== undefined && { unreadable }),
    skipped: [...groups.values()].map((group) => {
      const { reason, isKept } = group[0]!;
      const places = group.map(({ place }) => place);
      return { reason, isKept, places, news: places.filter((place) => before.get(place) !== reason) };
    }),
  };
}
