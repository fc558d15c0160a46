import type { BotDocument, BotLimits } from "../../domain/bot.ts";
import type { BotId } from "../../domain/ids.ts";
import type { EpochMs } from "../../domain/time.ts";

/** Integer key of a bot inside one database; never leaves the process. */
export type BotKey = number & { readonly brand: "BotKey" };

export interface StoredBot {
  key: BotKey;
  id: BotId;
  enabled: boolean;
  version: number;
  /** Without `enabled`, which is the record's own. */
  document: BotDocument;
  /** Undefined until the version is trained. */
  intentModelId: string | undefined;
  createdAt: EpochMs;
  updatedAt: EpochMs;
}

/** What a server knows of a bot before anybody asks for it: nothing that has to be read out of its document. */
export type BotHead = Pick<StoredBot, "key" | "id" | "version" | "intentModelId"> & { limits: BotLimits };

/** A document, and how long its text is. */
export interface SizedDocument {
  document: BotDocument;
  characters: number;
}

export type SeedChange = "created" | "updated" | "unchanged" | "deleted";

export interface SeedOutcome {
  botId: BotId;
  change: SeedChange;
}

export interface SeedOptions {
  /** Deletes every bot that is not among the documents; a list: only those of them that are on it. */
  prune: boolean | readonly BotId[];
  /** Says what would change, and changes nothing. */
  dryRun: boolean;
}

/** What came of training a bot, in bytes. */
export interface TrainedModel {
  model: Uint8Array;
  /** What its examples mean; absent where they were not encoded. */
  sentences?: Uint8Array;
}

/** What the bots of a seed classify with. */
export interface SeedModels {
  /** By bot. */
  idOf: ReadonlyMap<string, string>;
  /** Models that the store may not hold yet, by id. */
  trained: ReadonlyMap<string, TrainedModel>;
}

/** Bots and their versions. Operators' commands write; a running server reads. Documents were validated by `seed`. */
export interface Bots {
  /** All bots, by id. */
  list(): Promise<StoredBot[]>;
  /** The enabled bots, by id, without their documents: a server with thousands of bots starts at once, and follows changes. */
  listEnabled(): Promise<BotHead[]>;
  find(id: string): Promise<StoredBot | undefined>;
  /** The bots that are not among the documents, by id. */
  listOthers(documents: readonly BotDocument[]): Promise<Pick<StoredBot, "id" | "key">[]>;
  /** What a bot classifies with; undefined where there is no such bot, or it is not trained. */
  findIntentModelId(id: string): Promise<string | undefined>;
  /** The document as it was at `version`, for explaining an old turn. */
  findVersion(key: BotKey, version: number): Promise<BotDocument | undefined>;
  /**
   * Creates or updates bots by id: all of them, or none. Returns an outcome per document, then one per pruned bot. Bots that get no
   * model here are trained by the server that loads them.
   */
  seed(documents: readonly BotDocument[], options: SeedOptions, models?: SeedModels): Promise<SeedOutcome[]>;
  /** Gives bots their models, if they still are what was trained: a bot that was seeded since keeps its own. */
  setModels(models: SeedModels, versions: ReadonlyMap<string, number>): Promise<void>;
  /** @returns false when there is no such bot. */
  setEnabled(id: string, enabled: boolean): Promise<boolean>;
  /** Deletes the bot with its conversations, usage and token grants. @returns false when there is no such bot. */
  delete(id: string): Promise<boolean>;
}
