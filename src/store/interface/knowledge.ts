import type { KnowledgeEntry } from "../../domain/knowledge.ts";
import type { EpochMs } from "../../domain/time.ts";
import type { Passage } from "../../knowledge/passage.ts";
import type { IndexedPassage } from "../../knowledge/search-index.ts";
import type { KnownDocument, Skipped } from "../../knowledge/sources/collected.ts";
import type { SourcePassage } from "../../knowledge/sources/document.ts";
import type { BotKey } from "./bots.ts";

/** How reading a source went. */
export interface SourceOutcome {
  at: EpochMs;
  /** Why nothing of it could be read: what was known of it stayed. */
  unreadable?: string;
  skipped: readonly Skipped[];
}

/** What documents of a bot are read from. */
export interface StoredSource {
  /** As the operator wrote it; no two of a bot are alike. */
  name: string;
  /** `bot-file`: the bot file names it. `command`, `upload`: an operator added it, and `seed` leaves it alone. */
  origin: "bot-file" | "command" | "upload";
  /** What its path is counted from, and outside which nothing is read; empty for an upload, which is not read again. */
  folder: string;
  entry: KnowledgeEntry;
  /** Absent before it was read. */
  outcome?: SourceOutcome;
  /** The bot that is published no longer names it: its documents are kept, and nobody is answered from them. */
  isRetired?: true;
}

/** A document as it is stored, without its passages. */
export interface StoredDocument extends KnownDocument {
  title: string;
  /** Where visitors find it. */
  url?: string;
  passages: number;
}

/** A passage to be stored, and what it is found by, as `packTerms` makes it. */
export interface PassageToStore extends SourcePassage {
  terms: Uint8Array;
}

/** A document to be stored in the place of what is stored of it. */
export interface DocumentToStore extends KnownDocument {
  title: string;
  url?: string;
  passages: readonly PassageToStore[];
}

/** What a change of a bot's documents is to be told of. */
export interface DocumentsChange {
  /** Documents that are new or changed, and documents that left. */
  stored: number;
  removed: number;
}

/** What sources become. May be asked again, and has no effect of its own. */
export type ChangeSources = (stored: readonly StoredSource[]) => readonly StoredSource[];

export interface SourcesChange {
  before: readonly StoredSource[];
  after: readonly StoredSource[];
}

/**
 * The documents that bots answer from. Operators' commands write; a running server reads. Writes are many small ones, so that messages are
 * stored in between; each document is there whole or not at all.
 */
export interface Knowledge {
  /** In the order of the bot file, those of commands last. */
  listSources(bot: BotKey): Promise<StoredSource[]>;
  /** Changes what is stored at that moment, so that nothing is lost that others store meanwhile. Documents stay. */
  changeSources(bot: BotKey, change: ChangeSources): Promise<SourcesChange>;
  /** By place; those of retired sources as well. */
  listDocuments(bot: BotKey): Promise<StoredDocument[]>;
  /** @param onStored told of the passages of each step. */
  saveDocuments(
    bot: BotKey,
    documents: readonly DocumentToStore[],
    onStored?: (passages: number) => void,
  ): Promise<void>;
  /** Deletes documents by their ids; a file of SQLite is overwritten where they stood. */
  removeDocuments(bot: BotKey, ids: readonly string[]): Promise<void>;
  /** Notes who changed documents, and how many. */
  noteChange(bot: BotKey, change: DocumentsChange): Promise<void>;
  /** A number for each bot that has or had documents; another one whenever they have changed. */
  generations(): Promise<ReadonlyMap<BotKey, number>>;
  /** Ids of the passages that visitors of a bot are answered from, ascending. */
  listPassageIds(bot: BotKey): Promise<number[]>;
  /** What passages are found by, in the order of their ids; those that are gone are left out. */
  readTerms(ids: readonly number[]): Promise<IndexedPassage[]>;
  /** By id; those that are gone are left out. */
  findPassages(ids: readonly number[]): Promise<Map<number, Passage>>;
}
