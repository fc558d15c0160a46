import type { Collected, CollectedSource, KnownDocument } from "./collected.ts";
import { collectPage, collectSitemap } from "./fetch/collect-pages.ts";
import { Fetcher, type FetchSettings } from "./fetch/fetcher.ts";
import { collectFiles } from "./files/collect-files.ts";
import { DOCUMENT_LIMITS, type DocumentLimits } from "./limits.ts";
import type { SourceProgress, SourceRun } from "./run.ts";
import type { KnowledgeSource } from "./source.ts";
import { ParseThread } from "./thread/parse-thread.ts";

/** The sources to read, with the stored state. */
export interface CollectOrder {
  sources: readonly KnowledgeSource[];
  /** The bot file's folder, outside which no file is read. */
  folder: string;
  /** All stored documents of the bot. */
  known: readonly KnownDocument[];
}

interface CollectParts {
  fetching?: FetchSettings;
  limits?: DocumentLimits;
  /** Called with each document before it is read. */
  report?: (progress: SourceProgress) => void;
  /** Cancels the reading between two documents; nothing is collected then. */
  signal?: AbortSignal;
}

/**
 * Reads a bot's sources: new and changed documents, split into passages, unchanged ones, and removed ones. A document that cannot be read
 * is reported with the reason, and stops no other. A document in two sources belongs to the first.
 */
export async function collectKnowledge(
  { sources, folder, known }: CollectOrder,
  { fetching, limits = DOCUMENT_LIMITS, report = () => {}, signal }: CollectParts = {},
): Promise<Collected> {
  using parser = new ParseThread();
  const fetcher = new Fetcher(fetching);
  const present = new Set<string>();
  const byId = new Map(known.map((document) => [document.id, document]));
  const collected: CollectedSource[] = [];
  for (const source of sources) {
    signal?.throwIfAborted();
    const { name } = source;
    const run: SourceRun = { name, known: byId, parser, limits, report, present, ...(signal && { signal }) };
    collected.push(await collectSource(source, { folder, fetcher, run }));
  }
  for (const { name, unreadable } of collected) {
    if (unreadable !== undefined) keepAll(name, known, present);
  }
  const removed = known.filter(({ id }) => !present.has(id)).map(({ id }) => id);
  return { sources: collected, removed };
}

function collectSource(
  source: KnowledgeSource,
  { folder, fetcher, run }: { folder: string; fetcher: Fetcher; run: SourceRun },
): Promise<CollectedSource> {
  if (source.kind === "files") return collectFiles(source, folder, run);
  return source.kind === "page" ? collectPage(source, fetcher, run) : collectSitemap(source, fetcher, run);
}

function keepAll(name: string, known: readonly KnownDocument[], present: Set<string>): void {
  for (const { id, source } of known) if (source === name) present.add(id);
}
