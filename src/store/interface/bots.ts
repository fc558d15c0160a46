import type { BotDocument, BotLimits } from "../../domain/bot.ts";
import type { FieldChange } from "../../domain/change.ts";
import type { BotId } from "../../domain/ids.ts";
import type { BotOrigin } from "../../domain/operator/bots.ts";
import type { EpochMs } from "../../domain/time.ts";

/** Integer key of a bot inside one database; never leaves the process. */
export type BotKey = number & { readonly brand: "BotKey" };

export interface StoredBot {
  key: BotKey;
  id: BotId;
  enabled: boolean;
  version: number;
  /** Of the version. */
  origin: BotOrigin;
  /** Without `enabled`, which is the record's own. */
  document: BotDocument;
  /** Undefined until the version is trained. */
  intentModelId: string | undefined;
  createdAt: EpochMs;
  updatedAt: EpochMs;
}

/** What a server knows of a bot before anybody asks for it: nothing that has to be read out of its document. */
export type BotHead = Pick<StoredBot, "key" | "id" | "version" | "intentModelId"> & {
  limits: BotLimits;
  /** Such a bot is not to be served. */
  hasUnreadableLimits?: true;
};

/** What a list shows of a bot. */
export interface BotOutline extends Pick<
  StoredBot,
  "key" | "id" | "enabled" | "version" | "origin" | "updatedAt"
> {
  name: string;
  intents: number;
  limits: BotLimits;
}

/** A document, and how long its text is. */
export interface SizedDocument {
  document: BotDocument;
  characters: number;
}

export type SeedChange = "created" | "updated" | "unchanged" | "deleted";

/** What differs between two states of a bot. */
export interface BotDifference {
  fields: readonly FieldChange[];
  /** How many fields were left out, as they would take too much room. */
  omittedFields: number;
}

export interface SeedOutcome {
  botId: BotId;
  /** `unchanged` also where the text alone differs, as in its comments: that is kept as a version of its own. */
  change: SeedChange;
  /** What this takes back of what was published in the console; absent where the bot's version came from a file. */
  undoes?: BotDifference;
}

export interface SeedOptions {
  /** Deletes every bot that is not among the documents; a list: only those of them that are on it. */
  prune: boolean | readonly BotId[];
  /** Says what would change, and changes nothing. */
  dryRun: boolean;
  /** Also where it takes back what was published in the console. */
  force?: boolean;
  /** The files of bots as they were written, by id; a bot without one gets its document's. */
  texts?: ReadonlyMap<string, string>;
  /** What is wrong with bots, by id, and is passed over; the audit tells it. */
  acceptedFaults?: ReadonlyMap<string, readonly string[]>;
}

/** What is told of a version. */
export interface BotVersion {
  version: number;
  origin: BotOrigin;
  publishedAt: EpochMs;
  /** Undefined: from before it was noted. */
  publishedBy: string | undefined;
  note?: string;
  /** The version that it took back to. */
  restoredFrom?: number;
}

/** A version with what it was written as. */
export interface WrittenVersion extends BotVersion {
  document: BotDocument;
  /** Undefined where it is not known. */
  yaml: string | undefined;
}

/** A document that is to become a bot's next version. */
export interface Publication {
  document: BotDocument;
  /** As it was written, `document` being what it reads as. */
  yaml: string;
  /** The version that it replaces; 0 for a new bot. */
  replaces: number;
  note?: string;
  restoredFrom?: number;
  /** What is wrong with it, and is passed over; the audit tells it. */
  acceptedFaults?: readonly string[];
  /** Revision of the draft that this was made of: it goes, unless somebody has changed it since. Undefined: none goes. */
  draft?: number;
}

/**
 * `unchanged`: the bot already is what was to be published, to the letter. `stale`: it has another version than was to be replaced. `missing`: there is no
 * such bot; `taken`: a new bot's id is another's.
 */
export type PublicationOutcome = "published" | "unchanged" | "stale" | "missing" | "taken";

/** What is being edited of a bot and not published. */
export interface StoredDraft {
  yaml: string;
  /** The version that was looked at when it was begun. */
  baseVersion: number;
  /** Another one after each change, and never one that was before. */
  revision: number;
  updatedAt: EpochMs;
  updatedBy: string;
}

/** A draft as it was seen by whoever changes it: its revision, or that there is none. */
export type SeenDraft = number | "none";

/** A bot that was deleted, and of which something is still to be erased. */
export interface DeletedBot {
  key: BotKey;
  /** The id that it had. */
  id: BotId;
  /** That are left. */
  conversations: number;
}

/** What came of training a bot, in bytes. */
export interface TrainedModel {
  model: Uint8Array;
  /** What its examples mean; empty where there is nothing to encode, and absent where it was not encoded. */
  sentences?: Uint8Array;
}

/** What the bots of a seed classify with. */
export interface SeedModels {
  /** By bot. */
  idOf: ReadonlyMap<string, string>;
  /** Models that the store may not hold yet, by id. */
  trained: ReadonlyMap<string, TrainedModel>;
  /** The version of the encoder that read their examples. */
  encoder: string;
}

/** Bots and their versions. Operators' commands write; a running server reads. Documents were validated by `seed`. */
export interface Bots {
  /** All bots, by id. */
  list(): Promise<StoredBot[]>;
  /** All bots, by id, for a list: documents are not read out of the store for it. @param id where given, that bot alone. */
  outline(id?: string): Promise<BotOutline[]>;
  /** The enabled bots, by id, without their documents: a server with thousands of bots starts at once, and follows changes. */
  listEnabled(): Promise<BotHead[]>;
  find(id: string): Promise<StoredBot | undefined>;
  /** The bots that are not among the documents, by id. */
  listOthers(documents: readonly BotDocument[]): Promise<Pick<StoredBot, "id" | "key">[]>;
  /** What a bot classifies with; undefined where there is no such bot, or it is not trained. */
  findIntentModelId(id: string): Promise<string | undefined>;
  /** The document as it was at `version`, for explaining an old turn. */
  findVersion(key: BotKey, version: number): Promise<BotDocument | undefined>;
  /** The same, with what it was written as and by whom. */
  findWritten(key: BotKey, version: number): Promise<WrittenVersion | undefined>;
  /** The latest first: at most `limit`, those before a version where one is given. */
  listVersions(key: BotKey, limit: number, before?: number): Promise<BotVersion[]>;
  /**
   * Creates or updates bots by id: all of them, or none. Returns an outcome per document, then one per pruned bot. Bots that get no
   * model here are trained by the server that loads them.
   *
   * @throws ConsoleChangesError where that takes back what was published in the console, without `force` and no dry run.
   */
  seed(documents: readonly BotDocument[], options: SeedOptions, models?: SeedModels): Promise<SeedOutcome[]>;
  /** Makes a document a bot's next version, also where only its text differs. The draft that it was made of goes. */
  publish(publication: Publication, models?: SeedModels): Promise<PublicationOutcome>;
  /** Gives bots their models, if they still are what was trained: a bot that was seeded since keeps its own. */
  setModels(models: SeedModels, versions: ReadonlyMap<string, number>): Promise<void>;
  /** @returns false when there is no such bot. */
  setEnabled(id: string, enabled: boolean): Promise<boolean>;
  /**
   * Deletes the bot: nobody finds it from this commit on, nor anything of it, and its id may be given again. What it leaves is to be
   * erased in steps, by `Erasure.eraseSomeOf`.
   *
   * @returns false when there is no such bot.
   */
  delete(id: string): Promise<boolean>;
  /** Deleted bots of which something is left, those that were made first before the others. */
  listDeleted(): Promise<DeletedBot[]>;
}

/** What is being edited of bots, one of each. */
export interface BotDrafts {
  find(bot: BotKey): Promise<StoredDraft | undefined>;
  /** Keys of the bots that have one. */
  list(): Promise<ReadonlySet<BotKey>>;
  /** @returns undefined where the draft is another than was seen, or the bot is gone: nothing is changed then. */
  save(
    bot: BotKey,
    draft: Pick<StoredDraft, "yaml" | "baseVersion">,
    seen: SeenDraft,
  ): Promise<StoredDraft | undefined>;
  /** @returns false where the draft is another than was seen: nothing is changed then. */
  delete(bot: BotKey, seen: SeenDraft): Promise<boolean>;
}
