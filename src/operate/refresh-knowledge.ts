import type { BotDocument } from "../domain/bot.ts";
import type { Now } from "../domain/time.ts";
import { packTerms, termsOfPassage } from "../knowledge/packed-terms.ts";
import { titleOf } from "../knowledge/passage.ts";
import { collectKnowledge } from "../knowledge/sources/collect.ts";
import type { Collected, CollectedDocument, CollectedSource } from "../knowledge/sources/collected.ts";
import type { FetchSettings } from "../knowledge/sources/fetch/fetcher.ts";
import { READABLE } from "../knowledge/sources/formats/format.ts";
import type { SourceProgress } from "../knowledge/sources/run.ts";
import { knowledgeEntries, knowledgeSources } from "../knowledge/sources/source.ts";
import type { BotKey } from "../store/interface/bots.ts";
import type {
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

/** What was read of a bot's sources, to be stored with `storeKnowledge`. */
export interface ReadKnowledge {
  sources: readonly StoredSource[];
  collected: readonly CollectedSource[];
  documents: readonly CollectedDocument[];
  removed: readonly string[];
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

/**
 * Reads what is new or has changed in a bot's sources. Nothing is stored.
 * @param known what is stored of the bot.
 * @param only names of the sources that are read; the others stay as they are.
 */
export async function readKnowledge(
  { now, fetching, onDocument }: ReadKnowledgeParts,
  sources: readonly StoredSource[],
  known: readonly StoredDocument[],
  only?: ReadonlySet<string>,
): Promise<ReadKnowledge> {
  // Documents of retired sources wait for the next time that all are read.
  const named = sources.filter(({ isRetired }) => only !== undefined || !isRetired);
  const names = new Set([UPLOADS, ...named.map(({ name }) => name)]);
  // What was uploaded is nowhere to be read again.
  const toRead = sources.filter(
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
  const documents = collected.flatMap((source) => source.documents);
  const present = new Set(documents.map(({ id }) => id));
  const orphans = known.filter(({ source }) => !names.has(source)).map(({ id }) => id);
  return {
    sources: withOutcomes(sources, collected, now),
    collected,
    documents,
    removed: [...runs.flatMap(({ removed }) => removed), ...orphans].filter((id) => !present.has(id)),
  };
}

function withOutcomes(
  sources: readonly StoredSource[],
  collected: readonly CollectedSource[],
  now: Now,
): StoredSource[] {
  const byName = new Map(collected.map((source) => [source.name, source]));
  return sources.map((source) => {
    const run = byName.get(source.name);
    if (run === undefined) return source;
    const { unreadable, skipped } = run;
    return { ...source, outcome: { at: now(), skipped, ...(unreadable !== undefined && { unreadable }) } };
  });
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

/** Stores what was read, in small steps; a running server answers from it within a second. */
export async function storeKnowledge(
  knowledge: Knowledge,
  bot: BotKey,
  { sources, collected, documents, removed }: ReadKnowledge,
  onStored: (share: number) => void = () => {},
): Promise<RefreshedKnowledge> {
  await knowledge.changeSources(bot, (stored) => withUploads(sources, stored));
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
  return { sources: collected.map((source) => describeSource(source, stored)), ...change };
}

/** What was uploaded while documents were read stays. */
function withUploads(
  sources: readonly StoredSource[],
  stored: readonly StoredSource[],
): readonly StoredSource[] {
  const names = new Set(sources.map(({ name }) => name));
  return [...sources, ...stored.filter(({ name, origin }) => origin === "upload" && !names.has(name))];
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
): RefreshedSource {
  const own = stored.filter(({ source }) => source === name);
  const groups = Map.groupBy(skipped, ({ reason, isKept }) => `${isKept} ${reason}`);
  return {
    name,
    documents: own.length,
    passages: own.reduce((sum, { passages }) => sum + passages, 0),
    stored: documents.length,
    ...(unreadable !== undefined && { unreadable }),
    skipped: [...groups.values()].map(([first, ...others]) => ({
      reason: first!.reason,
      isKept: first!.isKept,
      places: [first!, ...others].map(({ place }) => place),
    })),
  };
}
