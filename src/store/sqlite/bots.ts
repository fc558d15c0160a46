import type { Database } from "better-sqlite3";

import type { BotDocument } from "../../domain/bot.ts";
import type { BotId } from "../../domain/ids.ts";
import type { Now } from "../../domain/time.ts";
import {
  type BotRow,
  botFromRow,
  DryRun,
  GONE_WITH_BOT,
  headFromRow,
  type HeadRow,
  isSameJson,
  limitsOf,
  NO_MODELS,
  originOfBoth,
  outlineFromRow,
  type OutlineRow,
  parseVersion,
  prunedOutcome,
  factsOfFile,
  factsOfPublication,
  recordOf,
  seededDifference,
  refusalOf,
  undoneBy,
  type VersionFacts,
  versionFromRow,
  type VersionRow,
  writtenFromRow,
  type WrittenRow,
} from "../bot-rows.ts";
import { diffDocuments } from "../changes/field-changes.ts";
import type {
  BotHead,
  BotKey,
  BotOutline,
  BotVersion,
  DeletedBot,
  Publication,
  PublicationOutcome,
  SeedModels,
  SeedOptions,
  SeedOutcome,
  SizedDocument,
  StoredBot,
  WrittenVersion,
} from "../interface/bots.ts";
import { refuseConsoleChanges } from "../refuse-console-changes.ts";
import type { ChangeRecorder } from "./change-recorder.ts";
import { bumpGeneration } from "./generation.ts";
import { deleteUnusedIntentModels, saveIntentModel } from "./intent-models.ts";

const SELECT_BOT = `
  SELECT bots.key, bots.id, bots.enabled, bots.version, bots.intent_model, bots.created_at, bots.updated_at,
    bot_versions.document, bot_versions.origin
  FROM bots JOIN bot_versions ON bot_versions.bot_key = bots.key AND bot_versions.version = bots.version`;

/** Of the bot of a key, unless it was deleted. */
const OF_BOT = "bot_key = (SELECT key FROM bots WHERE key = ?)";

/** Bots and their versions. Operators' commands write; a running server reads. Documents were validated by `seed`. */
export class SqliteBots {
  readonly #db: Database;
  readonly #now: Now;
  readonly #changes: ChangeRecorder;

  constructor(db: Database, now: Now, changes: ChangeRecorder) {
    this.#db = db;
    this.#now = now;
    this.#changes = changes;
  }

  /** All bots, by id. */
  list(): StoredBot[] {
    return this.#db.prepare<[], BotRow>(`${SELECT_BOT} ORDER BY bots.id`).all().map(botFromRow);
  }

  /** All bots, by id, for a list: documents are not read out of the store for it. @param id where given, that bot alone. */
  outline(id?: string): BotOutline[] {
    return this.#db
      .prepare<unknown[], OutlineRow>(
        `SELECT bots.key, bots.id, bots.enabled, bots.version, bot_versions.origin, bots.updated_at, bots.limits,
           CASE WHEN json_valid(document) THEN document ->> '$.name' END AS name,
           CASE WHEN json_valid(document) THEN json_array_length(document, '$.intents') END AS intents
         FROM bots JOIN bot_versions ON bot_versions.bot_key = bots.key AND bot_versions.version = bots.version
         WHERE @id IS NULL OR bots.id = @id ORDER BY bots.id`,
      )
      .all({ id: id ?? null })
      .map(outlineFromRow);
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
      .prepare<[BotKey, number], string>(`SELECT document FROM bot_versions WHERE ${OF_BOT} AND version = ?`)
      .pluck()
      .get(key, version);
    return text === undefined ? undefined : parseVersion(text, version, name);
  }

  /** The same, with what it was written as and by whom. */
  findWritten(key: BotKey, version: number): WrittenVersion | undefined {
    const row = this.#db
      .prepare<[BotKey, number], WrittenRow>(
        `SELECT version, origin, created_at, published_by, note, restored_from, document, yaml
         FROM bot_versions WHERE ${OF_BOT} AND version = ?`,
      )
      .get(key, version);
    return row && writtenFromRow(row, String(key));
  }

  /** The latest first: at most `limit`, those before a version where one is given. */
  listVersions(key: BotKey, limit: number, before = Number.MAX_SAFE_INTEGER): BotVersion[] {
    return this.#db
      .prepare<[BotKey, number, number], VersionRow>(
        `SELECT version, origin, created_at, published_by, note, restored_from
         FROM bot_versions WHERE ${OF_BOT} AND version < ? ORDER BY version DESC LIMIT ?`,
      )
      .all(key, before, limit)
      .map(versionFromRow);
  }

  /**
   * Creates or updates bots by id: all of them, or none. Returns an outcome per document, then one per pruned bot. Bots that get no
   * model here are trained by the server that loads them.
   *
   * @throws ConsoleChangesError where that takes back what was published in the console, without `force` and no dry run.
   */
  seed(documents: readonly BotDocument[], options: SeedOptions, models = NO_MODELS): SeedOutcome[] {
    const apply = this.#db.transaction(() => {
      const outcomes = documents.map((document) =>
        this.#seedOne(document, factsOfFile(document.id, options)),
      );
      outcomes.push(...this.#prune(documents, options));
      this.#setModels(models);
      if (options.dryRun) throw new DryRun(outcomes);
      refuseConsoleChanges(outcomes, options);
      if (outcomes.some((outcome) => outcome.change !== "unchanged")) bumpGeneration(this.#db);
      return outcomes;
    });
    try {
      return apply.immediate();
    } catch (error) {
      if (error instanceof DryRun) return error.outcomes;
      throw error;
    }
  }

  /** Makes a document a bot's next version, also where only its text differs. The draft that it was made of goes. */
  publish(publication: Publication, models = NO_MODELS): PublicationOutcome {
    return this.#db.transaction(() => this.#publish(publication, models)).immediate();
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

  /**
   * Deletes the bot: nobody finds it from this commit on, nor anything of it, and its id may be given again. What it leaves is to be
   * erased in steps, by `erasure.eraseSomeOf`.
   *
   * @returns false when there is no such bot.
   */
  delete(id: string): boolean {
    return this.#change(id, (bot) => this.#delete(bot, "bot.deleted"));
  }

  /** Deleted bots of which something is left. */
  listDeleted(): DeletedBot[] {
    return this.#db
      .prepare<[], DeletedBot>(
        `SELECT key, deleted_as AS id, (SELECT count(*) FROM conversations WHERE bot_key = bot_rows.key) AS conversations
         FROM bot_rows WHERE deleted_as IS NOT NULL ORDER BY key`,
      )
      .all();
  }

  #change(id: string, change: (bot: BotRow) => void): boolean {
    return this.#db
      .transaction(() => {
        const bot = this.#findRow(id);
        if (!bot) return false;
        change(bot);
        bumpGeneration(this.#db);
        return true;
      })
      .immediate();
  }

  #setEnabled(key: BotKey, enabled: boolean): void {
    this.#db
      .prepare("UPDATE bot_rows SET enabled = ?, updated_at = ? WHERE key = ?")
      .run(Number(enabled), this.#now(), key);
  }

  #delete(bot: BotRow, kind: "bot.deleted" | "bot.pruned"): void {
    const kept = this.#db
      .prepare<[BotKey], number>("SELECT count(*) FROM conversations WHERE bot_key = ?")
      .pluck()
      .get(bot.key)!;
    this.#db
      .prepare(
        "UPDATE bot_rows SET deleted_as = id, id = 'deleted ' || key, enabled = 0, intent_model = NULL, updated_at = ? WHERE key = ?",
      )
      .run(this.#now(), bot.key);
    for (const table of GONE_WITH_BOT)
      this.#db.prepare<[BotKey]>(`DELETE FROM ${table} WHERE bot_key = ?`).run(bot.key);
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

  #publish(publication: Publication, models: SeedModels): PublicationOutcome {
    const { document, yaml, draft } = publication;
    const stored = this.#findRow(document.id);
    const isSameText = stored !== undefined && this.#isWrittenAs(stored, yaml);
    const refused = refusalOf(publication, stored, isSameText);
    if (refused !== undefined) return refused;
    const { change } = this.#seedOne(document, factsOfPublication(publication));
    if (stored && draft !== undefined)
      this.#db.prepare("DELETE FROM bot_drafts WHERE bot_key = ? AND revision = ?").run(stored.key, draft);
    this.#setModels(models);
    if (change === "unchanged" && isSameText) return "unchanged";
    bumpGeneration(this.#db);
    return "published";
  }

  /** A stored document that cannot be read counts as another one, so that seeding the bot again mends it. */
  #seedOne({ enabled, ...document }: BotDocument, facts: VersionFacts): SeedOutcome {
    const botId = document.id;
    const stored = this.#findRow(botId);
    if (!stored) {
      this.#insert(document, enabled ?? true, facts);
      this.#noteSeeded("bot.created", {}, botId, facts);
      return { botId, change: "created" };
    }
    const documentChanged = !isSameJson(stored.document, document);
    const enabledChanged = enabled !== undefined && Number(enabled) !== stored.enabled;
    if (documentChanged) this.#addVersion(stored.key, stored.version + 1, document, facts);
    const isRewritten = !documentChanged && this.#rewrite(stored, document, facts);
    if (enabledChanged) this.#setEnabled(stored.key, enabled);
    if (documentChanged || isRewritten || enabledChanged)
      this.#noteSeeded("bot.updated", recordOf(stored), botId, facts);
    if (!documentChanged && !enabledChanged) return { botId, change: "unchanged" };
    return { botId, change: "updated", ...undoneBy(documentChanged, stored, document, facts) };
  }

  /**
   * The same document, which may be written in another way: that is a version of its own, as whoever edits names the version that they have
   * seen. What a file says, too, is the file's from then on.
   *
   * @returns whether there is a new version.
   */
  #rewrite(stored: BotRow, document: BotDocument, facts: VersionFacts): boolean {
    const { key, version } = stored;
    const origin = originOfBoth(stored.origin, facts.origin);
    if (facts.yaml === undefined || this.#isWrittenAs(stored, facts.yaml)) {
      this.#db
        .prepare("UPDATE bot_versions SET origin = ? WHERE bot_key = ? AND version = ?")
        .run(origin, key, version);
      return false;
    }
    this.#addVersion(key, version + 1, document, { ...facts, origin });
    this.#db.prepare("UPDATE bot_rows SET intent_model = ? WHERE key = ?").run(stored.intent_model, key);
    bumpGeneration(this.#db);
    return true;
  }

  #isWrittenAs({ key, version }: BotRow, yaml: string): boolean {
    return (
      this.#db
        .prepare<[string, BotKey, number], number>(
          "SELECT yaml IS ? FROM bot_versions WHERE bot_key = ? AND version = ?",
        )
        .pluck()
        .get(yaml, key, version) === 1
    );
  }

  /** What is, is read back: it is what counts from now on. */
  #noteSeeded(kind: "bot.created" | "bot.updated", before: object, id: BotId, facts: VersionFacts): void {
    const after = recordOf(this.#findRow(id)!);
    this.#changes.append({ kind, subject: id, bots: [id], ...seededDifference(before, after, facts) });
  }

  #insert(document: BotDocument, enabled: boolean, facts: VersionFacts): void {
    const now = this.#now();
    const { lastInsertRowid } = this.#db
      .prepare("INSERT INTO bot_rows (id, enabled, version, created_at, updated_at) VALUES (?, ?, 0, ?, ?)")
      .run(document.id, Number(enabled), now, now);
    this.#addVersion(Number(lastInsertRowid) as BotKey, 1, document, facts);
  }

  #addVersion(key: BotKey, version: number, document: BotDocument, facts: VersionFacts): void {
    const now = this.#now();
    const { origin, yaml = null, note = null, restoredFrom = null } = facts;
    this.#db
      .prepare(
        `INSERT INTO bot_versions (bot_key, version, document, created_at, yaml, origin, published_by, note, restored_from)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      )
      .run(
        key,
        version,
        JSON.stringify(document),
        now,
        yaml,
        origin,
        this.#changes.actor().name,
        note,
        restoredFrom,
      );
    this.#db
      .prepare(
        "UPDATE bot_rows SET version = ?, intent_model = NULL, limits = ?, updated_at = ? WHERE key = ?",
      )
      .run(version, limitsOf(document), now, key);
  }

  #setModels({ idOf, trained, encoder }: SeedModels): void {
    for (const [id, model] of trained) saveIntentModel(this.#db, id, model, encoder);
    const assign = this.#db.prepare("UPDATE bot_rows SET intent_model = ? WHERE id = ?");
    for (const [botId, modelId] of idOf) assign.run(modelId, botId);
    deleteUnusedIntentModels(this.#db, this.#now());
  }

  #prune(documents: readonly BotDocument[], { prune }: SeedOptions): SeedOutcome[] {
    if (prune === false) return [];
    const pruned = this.listOthers(documents)
      .filter(({ id }) => prune === true || prune.includes(id))
      .map(({ id }) => this.#findRow(id)!);
    for (const bot of pruned) this.#delete(bot, "bot.pruned");
    return pruned.map(prunedOutcome);
  }
}
