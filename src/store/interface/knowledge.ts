import type { KnowledgeEntry } from "../../domain/knowledge.ts";
import type { EpochMs } from "../../domain/time.ts";
import type { KnownDocument, Skipped } from "../../knowledge/sources/collected.ts";
import type { SourcePassage } from "../../knowledge/sources/document.ts";

/** The result of reading a source. */
export interface SourceOutcome {
  at: EpochMs;
  /** Why it could not be read: its documents stayed as they were. */
  unreadable?: string;
  skipped: readonly Skipped[];
}

/** A source of a bot's documents. */
export interface StoredSource {
  /** As the operator wrote it; unique for a bot. */
  name: string;
  /** `bot-file`: the bot file names it. `command`, `upload`: an operator added it, and `seed` leaves it alone. */
  origin: "bot-file" | "command" | "upload";
  /** Base folder of its path, outside which nothing is read; empty for an upload, which is not read again. */
  folder: string;
  entry: KnowledgeEntry;
  /** Absent until it has been read. */
  outcome?: SourceOutcome;
  /** The published bot does not name it any more: its documents are kept, but do not answer. */
  isRetired?: true;
}

/** A document as it is stored, without its passages. */
export interface StoredDocument extends KnownDocument {
  title: string;
  /** Public address of the document. */
  url?: string;
  passages: number;
}

/** A passage to be stored, with its packed index terms (`packTerms`). */
export interface PassageToStore extends SourcePassage {
  terms: Uint8Array;
}

/** A document to be stored, in place of the stored one with its id. */
export interface DocumentToStore extends KnownDocument {
  title: string;
  url?: string;
  passages: readonly PassageToStore[];
}

/** A change of a bot's documents, for the audit log. */
export interface DocumentsChange {
  /** Number of new or changed documents, and of removed ones. */
  stored: number;
  removed: number;
}

/** Computes the new sources from the stored ones. May be called again, so it must have no side effects. */
export type ChangeSources = (stored: readonly StoredSource[]) => readonly StoredSource[];

export interface SourcesChange {
  before: readonly StoredSource[];
  after: readonly StoredSource[];
}
