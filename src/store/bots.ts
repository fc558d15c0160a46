import type { Database } from "better-sqlite3";

import { BotDocument, BotLimits } from "../domain/bot.ts";
import type { BotId } from "../domain/ids.ts";
import { isJsonObject } from "../domain/json-object.ts";
import type { Now } from "../domain/time.ts";
import { eraseWords } from "./analytics/word-index.ts";
import { type ChangeRecorder, NO_CHANGES } from "./changes/change-log.ts";
import { diffDocuments } from "./changes/field-changes.ts";
import { deleteUnusedIntentModels, saveIntentModel } from "./intent-models.ts";
import type {
  BotHead,
  BotKey,
  SeedModels,
  SeedOptions,
  SeedOutcome,
  SizedDocument,
  StoredBot,
} from "./interface/bots.ts";
import { JsonColumn } from "./json-column.ts";
import { bumpRegistry } from "./registry.ts";

export const NO_MODELS: SeedModels = { idOf: new Map(), trained: new Map() };

/** A bot as statements read it, whatever the engine. */
export interface BotRow {
  key: BotKey;
  id: BotId;
  enabled: number;
  version: number;
  document: string;
  intent_model: string | null;
  created_at: number;
  updated_at: number;
}

/** What is read of each bot at a start, whatever the engine. */
export interface HeadRow extends Pick<BotRow, "key" | "id" | "version" | "intent_model"> {
  limits: string;
}

const DOCUMENTS = new JsonColumn("bot_versions.document", BotDocument, "seed the bot again");
const LIMITS = new JsonColumn("bots.limits", BotLimits, "seed the bot again");
/** Most bots have none. */
const NO_LIMITS: BotLimits = {};

const SELECT_BOT = `
  SELECT bots.key, bots.id, bots.enabled, bots.version, bots.intent_model, bots.created_at, bots.updated_at,
    bot_versions.document
  FROM bots JOIN bot_versions ON bot_versions.bot_key = bots.key AND bot_versions.version = bots.version`;

/** Bots and their versions. Operators' commands write; a running server reads. Documents were validated by `seed`. */
export class BotStore {
  readonly #db: Database;
  readonly #now: Now;
  readonly #changes: ChangeRecorder;

  constructor(db: Database, now: Now, changes: ChangeRecorder = NO_CHANGES) {
    this.#db = db;
    this.#now = now;
    this.#changes = changes;
  }

  /** All bots, by id. */
  list(): StoredBot[] {
    return this.#db.prepare<[], BotRow>(`${SELECT_BOT} ORDER BY bots.id`).all().map(botFromRow);
  }

  /** The enabled bots, by id, without their documents: a server with thousands of bots starts at once, and follows changes. */
  listEnabled(): BotHead[] {
    return this.#db
      .prepare<[], HeadRow>(
        "SELECT key, id, version, intent_model, limits FROM bots WHERE enabled = 1 ORDER BY id",
      )
      .all()
      .map(headFromRow);
  }

  find(id: string): StoredBot | undefined {
    const row = this.#findRow(id);
    return row && botFromRow(row);
  }

  /** The bots that are not among the documents, by id. */
  listOthers(documents: readonly BotDocument[]): Pick<StoredBot, "id" | "key">[] {
    const ids = new Set(documents.map(({ id }) => id));
    return this.#db
      .prepare<[], Pick<StoredBot, "id" | "key">>("SELECT id, key FROM bots ORDER BY id")
      .all()
      .filter(({ id }) => !ids.has(id));
  }

  /** What a bot classifies with; undefined where there is no such bot, or it is not trained. */
  findIntentModelId(id: string): string | undefined {
    return this.#findRow(id)?.intent_model ?? undefined;
  }

  /** The document as it was at `version`, for explaining an old turn. */
  findVersion(key: BotKey, version: number): BotDocument | undefined {
    return this.findSized(key, version)?.document;
  }

  findSized(key: BotKey, version: number, name = String(key)): SizedDocument | undefined {
    const text = this.#db
      .prepare<[BotKey, number], string>(
        "SELECT document FROM bot_versions WHERE bot_key = ? AND version = ?",
      )
      .pluck()
      .get(key, version);
    return text === undefined ? undefined : parseVersion(text, version, name);
  }

  /**
   * Creates or updates bots by id: all of them, or none. Returns an outcome per document, then one per pruned bot. Bots that get no
   * model here are trained by the server that loads them.
   */
  seed(documents: readonly BotDocument[], options: SeedOptions, models = NO_MODELS): SeedOutcome[] {
    const apply = this.#db.transaction(() => {
      const outcomes = documents.map((document) => this.#seedOne(document));
      outcomes.push(...this.#prune(documents, options));
      this.#setModels(models);
      if (options.dryRun) throw new DryRun(outcomes);
      if (outcomes.some((outcome) => outcome.change !== "unchanged")) bumpRegistry(this.#db);
      return outcomes;
    });
    try {
      return apply.immediate();
    } catch (error) {
      if (error instanceof DryRun) return error.outcomes;
      throw error;
    }
  }

  /** Gives bots their models, if they still are what was trained: a bot that was seeded since keeps its own. */
  setModels(models: SeedModels, versions: ReadonlyMap<string, number>): void {
    this.#db
      .transaction(() => {
        const idOf = new Map(
          [...models.idOf].filter(([id]) => this.#findRow(id)?.version === versions.get(id)),
        );
        this.#setModels({ ...models, idOf });
      })
      .immediate();
  }

  /** @returns false when there is no such bot. */
  setEnabled(id: string, enabled: boolean): boolean {
    return this.#change(id, (bot) => {
      if (bot.enabled === Number(enabled)) return;
      this.#setEnabled(bot.key, enabled);
      this.#changes.append({
        kind: enabled ? "bot.enabled" : "bot.disabled",
        subject: bot.id,
        bots: [bot.id],
        fields: [{ field: "enabled", before: !enabled, after: enabled }],
      });
    });
  }

  /** Deletes the bot with its conversations, usage and token grants. @returns false when there is no such bot. */
  delete(id: string): boolean {
    return this.#change(id, (bot) => this.#delete(bot, "bot.deleted"));
  }

  #change(id: string, change: (bot: BotRow) => void): boolean {
    return this.#db
      .transaction(() => {
        const bot = this.#findRow(id);
        if (!bot) return false;
        change(bot);
        bumpRegistry(this.#db);
        return true;
      })
      .immediate();
  }

  #setEnabled(key: BotKey, enabled: boolean): void {
    this.#db
      .prepare("UPDATE bots SET enabled = ?, updated_at = ? WHERE key = ?")
      .run(Number(enabled), this.#now(), key);
  }

  #delete(bot: BotRow, kind: "bot.deleted" | "bot.pruned"): void {
    const kept = this.#db
      .prepare<[BotKey], number>("SELECT count(*) FROM conversations WHERE bot_key = ?")
      .pluck()
      .get(bot.key);
    this.#db.prepare("DELETE FROM bots WHERE key = ?").run(bot.key);
    eraseWords(this.#db);
    const { fields, omittedFields } = diffDocuments(recordOf(bot), {});
    this.#changes.append({
      kind,
      subject: bot.id,
      bots: [bot.id],
      fields: [{ field: "conversations", before: kept, after: 0 }, ...fields],
      omittedFields,
    });
  }

  #findRow(id: string): BotRow | undefined {
    return this.#db.prepare<[string], BotRow>(`${SELECT_BOT} WHERE bots.id = ?`).get(id);
  }

  /** A stored document that cannot be read counts as another one, so that seeding the bot again mends it. */
  #seedOne({ enabled, ...document }: BotDocument): SeedOutcome {
    const botId = document.id;
    const stored = this.#findRow(botId);
    if (!stored) {
      this.#insert(document, enabled ?? true);
      this.#noteSeeded("bot.created", botId, {});
      return { botId, change: "created" };
    }
    const documentChanged = !isSameJson(stored.document, document);
    const enabledChanged = enabled !== undefined && Number(enabled) !== stored.enabled;
    if (documentChanged) this.#addVersion(stored.key, stored.version + 1, document);
    if (enabledChanged) this.#setEnabled(stored.key, enabled);
    if (!documentChanged && !enabledChanged) return { botId, change: "unchanged" };
    this.#noteSeeded("bot.updated", botId, recordOf(stored));
    return { botId, change: "updated" };
  }

  /** What is, is read back: it is what counts from now on. */
  #noteSeeded(kind: "bot.created" | "bot.updated", id: BotId, before: object): void {
    const after = recordOf(this.#findRow(id)!);
    this.#changes.append({ kind, subject: id, bots: [id], ...diffDocuments(before, after) });
  }

  #insert(document: BotDocument, enabled: boolean): void {
    const now = this.#now();
    const { lastInsertRowid } = this.#db
      .prepare("INSERT INTO bots (id, enabled, version, created_at, updated_at) VALUES (?, ?, 0, ?, ?)")
      .run(document.id, Number(enabled), now, now);
    this.#addVersion(Number(lastInsertRowid) as BotKey, 1, document);
  }

  #addVersion(key: BotKey, version: number, document: BotDocument): void {
    const now = this.#now();
    this.#db
      .prepare("INSERT INTO bot_versions (bot_key, version, document, created_at) VALUES (?, ?, ?, ?)")
      .run(key, version, JSON.stringify(document), now);
    this.#db
      .prepare("UPDATE bots SET version = ?, intent_model = NULL, limits = ?, updated_at = ? WHERE key = ?")
      .run(version, limitsOf(document), now, key);
  }

  #setModels({ idOf, trained }: SeedModels): void {
    for (const [id, model] of trained) saveIntentModel(this.#db, id, model);
    const assign = this.#db.prepare("UPDATE bots SET intent_model = ? WHERE id = ?");
    for (const [botId, modelId] of idOf) assign.run(modelId, botId);
    deleteUnusedIntentModels(this.#db, this.#now());
  }

  /** To delete a bot with many conversations takes seconds, and so does taking it back: a dry run does neither. */
  #prune(documents: readonly BotDocument[], { prune, dryRun }: SeedOptions): SeedOutcome[] {
    if (prune === false) return [];
    const pruned = this.listOthers(documents).filter(({ id }) => prune === true || prune.includes(id));
    if (!dryRun) for (const { id } of pruned) this.#delete(this.#findRow(id)!, "bot.pruned");
    return pruned.map(({ id }) => ({ botId: id, change: "deleted" }));
  }
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

/** A bot as changes tell of it: its document, and what is not in it. */
export function recordOf({ enabled, version, document }: BotRow): object {
  const fields = readJson(document);
  return { version, enabled: enabled === 1, ...(isJsonObject(fields) ? fields : { document: "unreadable" }) };
}

/** Undefined where the text is no JSON. */
function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** As text, without what is not set. */
export function limitsOf({ rateLimit, monthlyMessageCap, monthlyTokenBudget }: BotDocument): string {
  return JSON.stringify({ rateLimit, monthlyMessageCap, monthlyTokenBudget } satisfies Record<
    keyof BotLimits,
    unknown
  >);
}

export function headFromRow({ intent_model, limits, ...row }: HeadRow): BotHead {
  return {
    ...row,
    intentModelId: intent_model ?? undefined,
    limits: limits === "{}" ? NO_LIMITS : LIMITS.parse(limits, `bot \`${row.id}\``),
  };
}

export function botFromRow(row: BotRow): StoredBot {
  return {
    key: row.key,
    id: row.id,
    enabled: row.enabled === 1,
    version: row.version,
    document: DOCUMENTS.parse(row.document, `bot \`${row.id}\`, version ${row.version}`),
    intentModelId: row.intent_model ?? undefined,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

/** The document of a version; `name` is what an error calls the bot. */
export function parseVersion(text: string, version: number, name: string): SizedDocument {
  const document = DOCUMENTS.parse(text, `bot \`${name}\`, version ${version}`);
  return { document, characters: text.length };
}
