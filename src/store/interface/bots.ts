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
  /** Origin of the version. */
  origin: BotOrigin;
  /** Without `enabled`, which is a column of the row. */
  document: BotDocument;
  /** Undefined until the version is trained. */
  intentModelId: string | undefined;
  createdAt: EpochMs;
  updatedAt: EpochMs;
}

/** The columns that a server reads of each bot at its start, without parsing the document. */
export type BotHead = Pick<StoredBot, "key" | "id" | "version" | "intentModelId"> & {
  limits: BotLimits;
  /** Such a bot is not to be served. */
  hasUnreadableLimits?: true;
};

/** A bot's row in a list. */
export interface BotOutline extends Pick<
  StoredBot,
  "key" | "id" | "enabled" | "version" | "origin" | "updatedAt"
> {
  name: string;
  intents: number;
  limits: BotLimits;
}

/** A document with the length of its text. */
export interface SizedDocument {
  document: BotDocument;
  characters: number;
}

export type SeedChange = "created" | "updated" | "unchanged" | "deleted";

/** The differences of two states of a bot. */
export interface BotDifference {
  fields: readonly FieldChange[];
  /** Number of fields that were left out for want of room. */
  omittedFields: number;
}

export interface SeedOutcome {
  botId: BotId;
  /** `unchanged` also if only the text differs, as in comments; that text is stored as a version of its own. */
  change: SeedChange;
  /** Console changes that this seed undoes; absent if the bot's version came from a file. */
  undoes?: BotDifference;
}

export interface SeedOptions {
  /** Deletes every bot that is not in the documents; a list: only the listed ones of these. */
  prune: boolean | readonly BotId[];
  /** Reports changes without making them. */
  dryRun: boolean;
  /** Seeds even if this undoes changes of the console. */
  force?: boolean;
  /** Source texts of bots, by id; a bot without one gets its document's text. */
  texts?: ReadonlyMap<string, string>;
  /** Accepted faults of bots, by id, for the audit log. */
  acceptedFaults?: ReadonlyMap<string, readonly string[]>;
}

/** Facts of a version. */
export interface BotVersion {
  version: number;
  origin: BotOrigin;
  publishedAt: EpochMs;
  /** Undefined for versions from before this was stored. */
  publishedBy: string | undefined;
  note?: string;
  /** The version that it restored. */
  restoredFrom?: number;
}

/** A version with its source text. */
export interface WrittenVersion extends BotVersion {
  document: BotDocument;
  /** Undefined if it is not known. */
  yaml: string | undefined;
}

/** A document that becomes a bot's next version. */
export interface Publication {
  document: BotDocument;
  /** The source text of `document`. */
  yaml: string;
  /** The version that it replaces; 0 for a new bot. */
  replaces: number;
  note?: string;
  restoredFrom?: number;
  /** Accepted faults of the document, for the audit log. */
  acceptedFaults?: readonly string[];
  /** Revision of the draft that it was made from; it is deleted unless an operator has changed it since. Undefined: none is deleted. */
  draft?: number;
}

/**
 * `unchanged`: the current version has exactly this text. `stale`: the current version is not the one to be replaced. `missing`: there is
 * no such bot. `taken`: another bot has the new bot's id.
 */
export type PublicationOutcome = "published" | "unchanged" | "stale" | "missing" | "taken";

/** Unpublished changes of a bot. */
export interface StoredDraft {
  yaml: string;
  /** The version that the draft was begun from. */
  baseVersion: number;
  /** Differs after each change; a value is never used twice. */
  revision: number;
  updatedAt: EpochMs;
  updatedBy: string;
}

/** The revision of the draft that the caller has seen, or `none`. */
export type SeenDraft = number | "none";

/** A deleted bot with rows that are not erased yet. */
export interface DeletedBot {
  key: BotKey;
  /** The bot's former id. */
  id: BotId;
  /** Number of remaining conversations. */
  conversations: number;
}

/** The models of a trained bot, in bytes. */
export interface TrainedModel {
  model: Uint8Array;
  /** The encoder's vectors of the examples; empty if there is nothing to encode, and absent if the encoder did not run. */
  sentences?: Uint8Array;
}

/** The models of seeded bots. */
export interface SeedModels {
  /** Id of the intent model, by bot. */
  idOf: ReadonlyMap<string, string>;
  /** Models that the store may lack, by id. */
  trained: ReadonlyMap<string, TrainedModel>;
  /** Version of the encoder that made the vectors. */
  encoder: string;
}
