import type { SourcePassage } from "./document.ts";

/** What the store has of a document, from an earlier run. */
export interface KnownDocument {
  id: string;
  /** Name of the source that it came from. */
  source: string;
  /** Its path or address, for operators. Visitors see the title and `url` alone. */
  place: string;
  hash: string;
  /** What its server calls this state of it. */
  etag?: string;
  lastModified?: string;
}

/** A document that is new, or differs from what is known. */
export interface CollectedDocument extends KnownDocument {
  title: string;
  /** Where visitors find it; without one there is nothing to link to. */
  url?: string;
  passages: readonly SourcePassage[];
}

/** A document or file that was not read. */
export interface Skipped {
  place: string;
  reason: string;
  /** Whether what is known of it stays. */
  isKept: boolean;
}

/** What one source came to. */
export interface CollectedSource {
  name: string;
  /** Why nothing of it could be read; what is known of it stays. */
  unreadable?: string;
  /** New or changed, for the store to put in the place of what it has. */
  documents: readonly CollectedDocument[];
  /** Ids of those that are as they were known. */
  unchanged: readonly string[];
  skipped: readonly Skipped[];
}

export interface Collected {
  sources: readonly CollectedSource[];
  /** Ids of known documents that are in no source any more. */
  removed: readonly string[];
}
