import type { CollectedDocument, CollectedSource, KnownDocument, Skipped } from "./collected.ts";
import type { ParsedDocument } from "./document.ts";
import type { RawDocument } from "./formats/parse-document.ts";
import { contentHash, documentId } from "./identity.ts";
import type { DocumentLimits } from "./limits.ts";
import type { ParseThread } from "./thread/parse-thread.ts";

/** Progress of reading a source. */
export interface SourceProgress {
  source: string;
  done: number;
  total: number;
  /** The document being read. */
  place: string;
}

/** The parts that reading one source uses. */
export interface SourceRun {
  name: string;
  /** The bot's stored documents, by id. */
  known: ReadonlyMap<string, KnownDocument>;
  parser: Pick<ParseThread, "parse">;
  limits: DocumentLimits;
  report: (progress: SourceProgress) => void;
  /** Ids of documents that exist or are kept, including those of earlier sources. */
  present: Set<string>;
  signal?: AbortSignal;
}

/** The bytes of a document with facts known before parsing. */
export interface Arrived extends Omit<RawDocument, "limits"> {
  place: string;
  /** Title of a document without one. */
  fallbackTitle: string;
  /** Public address according to its source. */
  url?: string;
  /** Whether an address that the document itself names has precedence. */
  ownUrlCounts: boolean;
  etag?: string;
  lastModified?: string;
}

/** Collects the result of one source. */
export class SourceResult {
  readonly #documents: CollectedDocument[] = [];
  readonly #unchanged: string[] = [];
  readonly #skipped: Skipped[] = [];
  readonly #run: SourceRun;

  constructor(run: SourceRun) {
    this.#run = run;
  }

  /** Claims a document for this source; false if an earlier source has it. */
  claim(place: string): boolean {
    const id = documentId(place);
    if (this.#run.present.has(id)) return false;
    this.#run.present.add(id);
    return true;
  }

  known(place: string): KnownDocument | undefined {
    return this.#run.known.get(documentId(place));
  }

  unchanged(place: string): void {
    this.#unchanged.push(documentId(place));
  }

  /** Leaves out a document but keeps its earlier content, because it may be readable again. */
  keep(place: string, reason: string): void {
    const known = this.known(place);
    if (known !== undefined) this.#run.present.add(known.id);
    this.#skipped.push({ place, reason, isKept: known !== undefined });
  }

  /** Leaves out a path that may be a folder, but keeps the earlier content of it and of everything below. */
  keepBelow(place: string, reason: string): void {
    const kept = [...this.#run.known.values()].filter(
      (known) => known.place === place || known.place.startsWith(`${place}/`),
    );
    for (const { id } of kept) this.#run.present.add(id);
    this.#skipped.push({ place, reason, isKept: kept.length > 0 });
  }

  /** Reports why something that this source names is no document. */
  skip(place: string, reason: string): void {
    this.#skipped.push({ place, reason, isKept: false });
  }

  /** Leaves out a document of this source and deletes its earlier content. */
  drop(place: string, reason: string): void {
    this.#run.present.delete(documentId(place));
    this.skip(place, reason);
  }

  /** Reads a document, unless it is unchanged. */
  async read(arrived: Arrived): Promise<void> {
    const { place, bytes, format, charset } = arrived;
    const hash = contentHash(bytes, arrived.url);
    if (this.known(place)?.hash === hash) return this.unchanged(place);
    const { limits, parser } = this.#run;
    const news = await parser.parse({ format, bytes, limits, ...(charset !== undefined && { charset }) });
    if (news.kind === "unreadable") this.keep(place, news.reason);
    else this.#documents.push(documentOf(arrived, { hash, source: this.#run.name, parsed: news.document }));
  }

  get collected(): CollectedSource {
    return {
      name: this.#run.name,
      documents: this.#documents,
      unchanged: this.#unchanged,
      skipped: this.#skipped,
    };
  }
}

function documentOf(
  { place, fallbackTitle, url: ofSource, ownUrlCounts, etag, lastModified }: Arrived,
  { hash, source, parsed }: { hash: string; source: string; parsed: ParsedDocument },
): CollectedDocument {
  const own = ownUrlCounts && isWebAddress(parsed.url) ? parsed.url : undefined;
  const url = own ?? ofSource;
  return {
    id: documentId(place),
    source,
    place,
    title: parsed.title ?? fallbackTitle,
    hash,
    ...(url !== undefined && { url }),
    ...(etag !== undefined && { etag }),
    ...(lastModified !== undefined && { lastModified }),
    passages: parsed.passages,
  };
}

function isWebAddress(address: string | undefined): boolean {
  return /^https?:$/.test(URL.parse(address ?? "")?.protocol ?? "");
}
