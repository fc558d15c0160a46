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
  Knowledge,
  StoredDocument,
  StoredSource,
} from "../store/interface/knowledge.ts";

/** What uploads are a source of: an address of no kind that a bot file may name. */
export const UPLOADS = "upload://";

/** Why documents were left out, and which. */
export interface SkippedGroup {
  reason: string;
  places: readonly string[];
  /** What was known of them stays. */
  isKept: boolean;
  /** Those of them that were not left out for that reason when the source was last read. */
  news: readonly string[];
}

/** What became of one source. */
export interface RefreshedSource {
  name: string;
  /** Documents and passages that visitors are answered from now. */
  documents: number;
  passages: number;
  /** Documents that are new, or were read again as they had changed. */
  stored: number;
  /** Why nothing of it could be read; what was known of it stays. */
  unreadable?: string;
  skipped: readonly SkippedGroup[];
}

/** What became of a bot's documents. */
export interface RefreshedKnowledge {
  sources: readonly RefreshedSource[];
  stored: number;
  removed: number;
}

/** What reading documents needs. */
export interface ReadKnowledgeParts {
  now: Now;
  fetching: FetchSettings;
  /** Told of each document before it is read. */
  onDocument?: (progress: SourceProgress) => void;
}

/** Which sources of a bot are read. */
export interface SourcesToRead {
  /** As they are stored now. */
  stored: readonly StoredSource[];
  /** What they are to become. Asked again when what was read is stored: to read takes minutes, in which others change sources. */
  change: ChangeSources;
  /** The documents that are stored now. */
  known: readonly StoredDocument[];
  /** Names of the sources that are read; all of them where it is absent. The others stay as they are. */
  only?: ReadonlySet<string>;
}

/** What was read of a bot's sources, to be stored with `storeKnowledge`. */
export interface ReadKnowledge {
  /** With how reading them went. */
  change: ChangeSources;
  collected: readonly CollectedSource[];
  documents: readonly CollectedDocument[];
  /** What was left out of each source when it was last read, by its name. */
  skippedBefore: ReadonlyMap<string, readonly Skipped[]>;
  /** Documents that are in their source no more. */
  gone: readonly string[];
  known: readonly StoredDocument[];
  /** Documents of sources that were retired before wait for the next time that all are read. */
  isWhole: boolean;
}

/** The sources that a bot file names, counted from its folder. */
export function sourcesOfFile(document: Pick<BotDocument, "knowledge">, folder: string): StoredSource[] {
  return knowledgeEntries(document).map(({ name, entry }) => ({ name, origin: "bot-file", folder, entry }));
}

/** The sources of a bot as a bot file names them now, and those that operators have added. */
export function withCommandSources(
  ofFile: readonly StoredSource[],
  stored: readonly StoredSource[],
): StoredSource[] {
  const names = new Set(ofFile.map(({ name }) => name));
  const added = stored.filter(({ name, origin }) => origin !== "bot-file" && !names.has(name));
  return [...ofFile, ...added];
}

/** Reads what is new or has changed in a bot's sources. Nothing is stored. */
export async function readKnowledge(
  { now, fetching, onDocument }: ReadKnowledgeParts,
  { stored, change, known, only }: SourcesToRead,
): Promise<ReadKnowledge> {
  // What was uploaded is nowhere to be read again.
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

/** What a bot will answer from once what was read is stored. @param bot undefined: it is not there yet */
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

/** What an operator has to mend: sources and documents that cannot be read. Files of other kinds are none. */
export function faultsOf({ collected }: ReadKnowledge): string[] {
  return collected.flatMap(({ name, unreadable, skipped }) => [
    ...(unreadable === undefined ? [] : [`${name}: ${unreadable}`]),
    ...skipped
      .filter(({ reason }) => reason !== `is not ${READABLE}`)
      .map(({ place, reason }) => `${place}: ${reason}`),
  ]);
}

/**
 * Stores what was read, in small steps; a running server answers from it within a second. What others have changed meanwhile stays: a source
 * that they took away is not brought back, and one that they added is not lost.
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
  // A document's terms are found just before it is stored, so that those of all are never in memory at once.
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

/** The documents that are gone, and those that no source names. Of a source that retired while it was read they stay until the next time. */
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
