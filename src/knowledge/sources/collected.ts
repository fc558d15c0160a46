import type { SourcePassage } from "./document.ts";

/** The stored state of a document. */
export interface KnownDocument {
  id: string;
  /** Name of the source that it came from. */
  source: string;
  /** Its path or address, for operators. Visitors see only the title and `url`. */
  place: string;
  hash: string;
  /** The server's ETag of this state. */
  etag?: string;
  lastModified?: string;
}

/** A new or changed document. */
export interface CollectedDocument extends KnownDocument {
  title: string;
  /** Public address; without one, answers have no link. */
  url?: string;
  passages: readonly SourcePassage[];
}

/** A document or file that was not read. */
export interface Skipped {
  place: string;
  reason: string;
  /** Whether its earlier content is kept. */
  isKept: boolean;
}

/** The result of one source. */
export interface CollectedSource {
  name: string;
  /** The reason why the source could not be read; its earlier content stays. */
  unreadable?: string;
  /** New and changed documents, which replace the stored ones. */
  documents: readonly CollectedDocument[];
  /** Ids of unchanged documents. */
  unchanged: readonly string[];
  skipped: readonly Skipped[];
}

export interface Collected {
  sources: readonly CollectedSource[];
  /** Ids of known documents that no source contains any more. */
  removed: readonly string[];
}
