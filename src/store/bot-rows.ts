import { type BotDocument, BotLimits, StoredBotDocument } from "../domain/bot.ts";
import type { BotId } from "../domain/ids.ts";
import { isJsonObject } from "../domain/json-object.ts";
import type { BotOrigin } from "../domain/operator/bots.ts";
import { diffDocuments } from "./changes/field-changes.ts";
import type {
  BotHead,
  BotOutline,
  Publication,
  PublicationOutcome,
  SeedModels,
  SeedOptions,
  SeedOutcome,
  StoredBot,
  WrittenVersion,
} from "./interface/bots.ts";
import { ENCODER_OFF } from "./interface/vectors.ts";
import { JsonColumn } from "./json-column.ts";
import { UnusableDatabaseError } from "./unusable-database.ts";

export const NO_MODELS: SeedModels = { idOf: new Map(), trained: new Map(), encoder: ENCODER_OFF };

/** A bot as statements read it. */
export interface BotRow extends Omit<StoredBot, "enabled" | "document" | "intentModelId"> {
  /** 0 or 1 in SQLite. */
  enabled: boolean | number;
  document: string;
  intentModelId: string | null;
}

/** A bot's row in a list, as statements read it. */
export interface OutlineRow extends Pick<
  BotRow,
  "key" | "id" | "enabled" | "version" | "origin" | "updatedAt"
> {
  /** NULL if the document cannot be read. */
  name: string | null;
  intents: number | null;
  limits: string;
}

/** A version with its source text, as statements read it; NULL columns are left out. */
export type WrittenRow = Omit<WrittenVersion, "document"> & { document: string };

/** Facts of a new version besides its document. */
export interface VersionFacts {
  origin: BotOrigin;
  yaml: string | undefined;
  note?: string;
  restoredFrom?: number;
  acceptedFaults?: readonly string[];
}

/** Differences for the audit log of a seed or a publication, with the accepted faults. */
export function seededDifference(
  before: object,
  after: object,
  { restoredFrom, acceptedFaults }: VersionFacts,
) {
  const none = { restoredFrom: undefined, acceptedFaults: undefined };
  return diffDocuments({ ...none, ...before }, { restoredFrom, acceptedFaults, ...after });
}

/** The facts of a bot that comes from a file. */
export function factsOfFile(id: BotId, { texts, acceptedFaults: accepted }: SeedOptions): VersionFacts {
  const acceptedFaults = accepted?.get(id);
  return { origin: "file", yaml: texts?.get(id), ...(acceptedFaults && { acceptedFaults }) };
}

/** The facts of a bot that an operator publishes. */
export function factsOfPublication({ yaml, note, restoredFrom, acceptedFaults }: Publication): VersionFacts {
  return {
    origin: "console",
    yaml,
    ...(note !== undefined && { note }),
    ...(restoredFrom !== undefined && { restoredFrom }),
    ...(acceptedFaults && { acceptedFaults }),
  };
}

/** Columns of each bot that a server reads at its start. */
export interface HeadRow extends Pick<BotRow, "key" | "id" | "version" | "intentModelId"> {
  limits: string;
}

const DOCUMENTS = new JsonColumn("bot_versions.document", StoredBotDocument, "seed the bot again");
const LIMITS = new JsonColumn("bots.limits", BotLimits, "seed the bot again");
/** Tables whose rows are deleted in the commit that deletes the bot. They are few, and queries would find or count the bot by them. */
export const GONE_WITH_BOT = ["bot_drafts", "embed_token_bots", "monthly_usage"] as const;
/** Most bots have none. */
const NO_LIMITS: BotLimits = {};

/**
 * Why a publication is refused; undefined: it is to be stored.
 *
 * @param isSameText whether the version that is published now is written as this one, comments included.
 */
export function refusalOf(
  { document: { enabled, ...document }, replaces }: Publication,
  stored: BotRow | undefined,
  isSameText: boolean,
): PublicationOutcome | undefined {
  if (replaces === 0) return stored && "taken";
  if (!stored) return "missing";
  // A client that sends the same again, because it lost the answer, learns that the version is stored.
  const isThere =
    isSameText &&
    isSameJson(stored.document, document) &&
    (enabled ?? Boolean(stored.enabled)) === Boolean(stored.enabled);
  return stored.version === replaces || isThere ? undefined : "stale";
}

/** The console's changes that seeding from a file would undo. */
export function undoneBy(
  documentChanged: boolean,
  stored: BotRow,
  document: BotDocument,
  { origin }: VersionFacts,
): Pick<SeedOutcome, "undoes"> {
  if (!documentChanged || origin === "console" || stored.origin === "file") return {};
  const before: unknown = readJson(stored.document);
  return { undoes: diffDocuments(isJsonObject(before) ? before : {}, document) };
}

/** The origin of a version that file and console share is the file: nothing of the console is lost by the next seed. */
export function originOfBoth(stored: BotOrigin, again: BotOrigin): BotOrigin {
  return stored === "file" ? "file" : again;
}

/** The outcome of a pruned bot. */
export function prunedOutcome(bot: BotRow): SeedOutcome {
  const isConsoles = bot.origin === "console";
  return {
    botId: bot.id,
    change: "deleted",
    ...(isConsoles && { undoes: diffDocuments(recordOf(bot), {}) }),
  };
}

/** Leaves the transaction of a dry run, which rolls it back. */
export class DryRun extends Error {
  readonly outcomes: SeedOutcome[];

  constructor(outcomes: SeedOutcome[]) {
    super("dry run");
    this.outcomes = outcomes;
  }
}

export function isSameJson(text: string, document: BotDocument): boolean {
  return Bun.deepEquals(readJson(text), document, true);
}

/** A bot as the audit log compares it: its document, with the fields that are stored in other columns. */
export function recordOf({ enabled, version, document }: BotRow): object {
  const fields = readJson(document);
  return {
    version,
    enabled: Boolean(enabled),
    ...(isJsonObject(fields) ? fields : { document: "unreadable" }),
  };
}

/** Undefined if the text is not JSON. */
function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** The limits as JSON text, without fields that are not set. */
export function limitsOf({ rateLimit, monthlyMessageCap, monthlyTokenBudget }: BotDocument): string {
  return JSON.stringify({ rateLimit, monthlyMessageCap, monthlyTokenBudget } satisfies Record<
    keyof BotLimits,
    unknown
  >);
}

export function outlineFromRow(row: OutlineRow): BotOutline {
  return {
    ...row,
    enabled: Boolean(row.enabled),
    name: row.name ?? row.id,
    intents: row.intents ?? 0,
    limits: limitsFromText(row.limits, row.id) ?? NO_LIMITS,
  };
}

/** Undefined if they cannot be read: one damaged bot must not break the list of all bots. */
function limitsFromText(limits: string, id: BotId): BotLimits | undefined {
  if (limits === "{}") return NO_LIMITS;
  try {
    return LIMITS.parse(limits, `bot \`${id}\``);
  } catch (error) {
    if (error instanceof UnusableDatabaseError) return undefined;
    throw error;
  }
}

export function headFromRow({ intentModelId, limits, ...row }: HeadRow): BotHead {
  const readable = limitsFromText(limits, row.id);
  return {
    ...row,
    intentModelId: intentModelId ?? undefined,
    limits: readable ?? NO_LIMITS,
    ...(readable === undefined && { hasUnreadableLimits: true }),
  };
}

export function botFromRow(row: BotRow): StoredBot {
  return {
    ...row,
    enabled: Boolean(row.enabled),
    document: parseDocument(row.document, row.version, row.id),
    intentModelId: row.intentModelId ?? undefined,
  };
}

/** The document of a version; `name` is the bot's name in errors. */
export function parseDocument(text: string, version: number, name: string): BotDocument {
  return DOCUMENTS.parse(text, `bot \`${name}\`, version ${version}`);
}
