import type { KnowledgeEntry } from "../../domain/knowledge.ts";
import type { EpochMs } from "../../domain/time.ts";
import type { Passage } from "../../knowledge/passage.ts";
import type { IndexedPassage } from "../../knowledge/search-index.ts";
import type { KnownDocument, Skipped } from "../../knowledge/sources/collected.ts";
import type { SourcePassage } from "../../knowledge/sources/document.ts";
import type { BotKey } from "./bots.ts";

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

/**
 * The documents that bots answer from. Operators' commands write; a running server reads. Documents are written in many small steps,
 * so that messages are stored in between; a document becomes searchable only when it is complete.
 */
export interface Knowledge {
  /** In the order of the bot file; sources of commands last. */
  listSources(bot: BotKey): Promise<StoredSource[]>;
  /** Changes the stored sources in one transaction, so that concurrent changes are not lost. Documents stay. */
  changeSources(bot: BotKey, change: ChangeSources): Promise<SourcesChange>;
  /** By place; includes documents of retired sources. */
  listDocuments(bot: BotKey): Promise<StoredDocument[]>;
  /** @param onStored receives the number of passages of each step. */
  saveDocuments(
    bot: BotKey,
    documents: readonly DocumentToStore[],
    onStored?: (passages: number) => void,
  ): Promise<void>;
  /** Deletes documents by id; SQLite overwrites their bytes in the file. */
  removeDocuments(bot: BotKey, ids: readonly string[]): Promise<void>;
  /** Records the change and its actor in the audit log. */
  noteChange(bot: BotKey, change: DocumentsChange): Promise<void>;
  /** A number for each bot that has or had documents, which differs after each change. */
  generations(): Promise<ReadonlyMap<BotKey, number>>;
  /** Ids of a bot's searchable passages, ascending. */
  listPassageIds(bot: BotKey): Promise<number[]>;
  /** Index terms of passages, in the order of ids; deleted passages are left out. */
  readTerms(ids: readonly number[]): Promise<IndexedPassage[]>;
  /** Passages by id; deleted ones are left out. */
  findPassages(ids: readonly number[]): Promise<Map<number, Passage>>;
}
