import type { BotDocument } from "../../domain/bot.ts";
import type { BotId } from "../../domain/ids.ts";
import type { Now } from "../../domain/time.ts";
import {
  type BotRow,
  botFromRow,
  DryRun,
  GONE_WITH_BOT,
  type HeadRow,
  headFromRow,
  isSameJson,
  limitsOf,
  NO_MODELS,
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
  originOfBoth,
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
  Bots,
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
import { findRow, insertVersion, isWrittenAs, listOthers, SELECT_BOT } from "./bot-writes.ts";
import type { ChangeRecorder } from "./change-recorder.ts";
import type { Queries } from "./connection.ts";
import { bumpGeneration, lockGeneration } from "./generation.ts";
import { deleteUnusedModels, saveModel } from "./models.ts";
import type { Pool } from "./pool.ts";

const VERSION = `
version::float8 AS version, origin, created_at::float8 AS created_at, published_by, note, restored_from::float8 AS restored_from`;

/** Of the bot of a key, unless it was deleted. */
const OF_BOT = "bot_key = (SELECT key FROM bots WHERE key = $1)";

/** Bots and their versions. Whoever changes them takes the row of the generation first, so that one seed waits for another. */
export class PostgresBots implements Bots {
  readonly #pool: Pool;
  readonly #now: Now;
  readonly #changes: ChangeRecorder;

  constructor(pool: Pool, now: Now, changes: ChangeRecorder) {
    this.#pool = pool;
    this.#now = now;
    this.#changes = changes;
  }

  async list(): Promise<StoredBot[]> {
    return (await this.#pool.query<BotRow>(`${SELECT_BOT} ORDER BY bots.id`)).map(botFromRow);
  }

  async outline(id?: string): Promise<BotOutline[]> {
    const rows = await this.#pool.query<OutlineRow>(
      `SELECT bots.key::float8 AS key, bots.id, bots.enabled::int4 AS enabled, bots.version::float8 AS version, origin,
         updated_at::float8 AS updated_at, limits, json ->> 'name' AS name,
         CASE WHEN json_typeof(json -> 'intents') = 'array' THEN json_array_length(json -> 'intents') END AS intents
       FROM bots JOIN bot_versions ON bot_versions.bot_key = bots.key AND bot_versions.version = bots.version,
         parley_json(document) AS json
       WHERE $1::text IS NULL OR bots.id = $1 ORDER BY bots.id`,
      [id ?? null],
    );
    return rows.map(outlineFromRow);
  }

  async listEnabled(): Promise<BotHead[]> {
    const rows = await this.#pool.query<HeadRow>(`
      SELECT key::float8 AS key, id, version::float8 AS version, intent_model, limits FROM bots
      WHERE enabled ORDER BY id`);
    return rows.map(headFromRow);
  }

  async find(id: string): Promise<StoredBot | undefined> {
    const row = await findRow(this.#pool, id);
    return row && botFromRow(row);
  }

  listOthers(documents: readonly BotDocument[]): Promise<Pick<StoredBot, "id" | "key">[]> {
    return listOthers(this.#pool, documents);
  }

  async findIntentModelId(id: string): Promise<string | undefined> {
    return (await findRow(this.#pool, id))?.intent_model ?? undefined;
  }

  async findVersion(key: BotKey, version: number): Promise<BotDocument | undefined> {
    return (await this.findSized(key, version))?.document;
  }

  /** The document of a version; `name` is what an error calls the bot. */
  async findSized(key: BotKey, version: number, name = String(key)): Promise<SizedDocument | undefined> {
    const [row] = await this.#pool.query<{ document: string }>(
      `SELECT document FROM bot_versions WHERE ${OF_BOT} AND version = $2`,
      [key, version],
    );
    return row && parseVersion(row.document, version, name);
  }

  async findWritten(key: BotKey, version: number): Promise<WrittenVersion | undefined> {
    const [row] = await this.#pool.query<WrittenRow>(
      `SELECT ${VERSION}, document, yaml FROM bot_versions WHERE ${OF_BOT} AND version = $2`,
      [key, version],
    );
    return row && writtenFromRow(row, String(key));
  }

  async listVersions(key: BotKey, limit: number, before = Number.MAX_SAFE_INTEGER): Promise<BotVersion[]> {
    const rows = await this.#pool.query<VersionRow>(
      `SELECT ${VERSION} FROM bot_versions WHERE ${OF_BOT} AND version < $2 ORDER BY bot_versions.version DESC LIMIT $3`,
      [key, before, limit],
    );
    return rows.map(versionFromRow);
  }

  publish(publication: Publication, models = NO_MODELS): Promise<PublicationOutcome> {
    return this.#pool.transaction((queries) => this.#publish(queries, publication, models));
  }

  async seed(
    documents: readonly BotDocument[],
    options: SeedOptions,
    models = NO_MODELS,
  ): Promise<SeedOutcome[]> {
    try {
      return await this.#pool.transaction((queries) => this.#seed(queries, documents, options, models));
    } catch (error) {
      if (error instanceof DryRun) return error.outcomes;
      throw error;
    }
  }

  setModels(models: SeedModels, versions: ReadonlyMap<string, number>): Promise<void> {
    return this.#pool.transaction(async (queries) => {
      await lockGeneration(queries);
      const current = new Map<string, string>();
      for (const [id, model] of models.idOf) {
        if ((await findRow(queries, id))?.version === versions.get(id)) current.set(id, model);
      }
      await this.#setModels(queries, { ...models, idOf: current });
    });
  }

  setEnabled(id: string, enabled: boolean): Promise<boolean> {
    return this.#change(id, async (queries, bot) => {
      if (bot.enabled === Number(enabled)) return;
      await this.#setEnabled(queries, bot.key, enabled);
      await this.#changes.append(queries, {
        kind: enabled ? "bot.enabled" : "bot.disabled",
        subject: bot.id,
        bots: [bot.id],
        fields: [{ field: "enabled", before: !enabled, after: enabled }],
      });
    });
  }

  delete(id: string): Promise<boolean> {
    return this.#change(id, (queries, bot) => this.#delete(queries, bot, "bot.deleted"));
  }

  listDeleted(): Promise<DeletedBot[]> {
    return this.#pool.query<DeletedBot>(
      `SELECT key::float8 AS key, deleted_as AS id, (SELECT count(*)::int4 FROM conversations WHERE bot_key = bot_rows.key) AS conversations
       FROM bot_rows WHERE deleted_as IS NOT NULL ORDER BY bot_rows.key`,
    );
  }

  #change(id: string, change: (queries: Queries, bot: BotRow) => Promise<void>): Promise<boolean> {
    return this.#pool.transaction(async (queries) => {
      await lockGeneration(queries);
      const bot = await findRow(queries, id);
      if (!bot) return false;
      await change(queries, bot);
      await bumpGeneration(queries);
      return true;
    });
  }

  async #seed(
    queries: Queries,
    documents: readonly BotDocument[],
    options: SeedOptions,
    models: SeedModels,
  ): Promise<SeedOutcome[]> {
    await lockGeneration(queries);
    const outcomes: SeedOutcome[] = [];
    for (const document of documents) {
      outcomes.push(await this.#seedOne(queries, document, factsOfFile(document.id, options)));
    }
    outcomes.push(...(await this.#prune(queries, documents, options)));
    await this.#setModels(queries, models);
    if (options.dryRun) throw new DryRun(outcomes);
    refuseConsoleChanges(outcomes, options);
    if (outcomes.some((outcome) => outcome.change !== "unchanged")) await bumpGeneration(queries);
    return outcomes;
  }

  async #publish(
    queries: Queries,
    publication: Publication,
    models: SeedModels,
  ): Promise<PublicationOutcome> {
    await lockGeneration(queries);
    const { document, yaml, draft } = publication;
    const stored = await findRow(queries, document.id);
    const isSameText = stored !== undefined && (await isWrittenAs(queries, stored, yaml));
    const refused = refusalOf(publication, stored, isSameText);
    if (refused !== undefined) return refused;
    const { change } = await this.#seedOne(queries, document, factsOfPublication(publication));
    if (stored && draft !== undefined) {
      await queries.query("DELETE FROM bot_drafts WHERE bot_key = $1 AND revision = $2", [stored.key, draft]);
    }
    await this.#setModels(queries, models);
    if (change === "unchanged" && isSameText) return "unchanged";
    await bumpGeneration(queries);
    return "published";
  }

  /** A stored document that cannot be read counts as another one, so that seeding the bot again mends it. */
  async #seedOne(
    queries: Queries,
    { enabled, ...document }: BotDocument,
    facts: VersionFacts,
  ): Promise<SeedOutcome> {
    const botId = document.id;
    const stored = await findRow(queries, botId);
    if (!stored) {
      await this.#insert(queries, document, enabled ?? true, facts);
      await this.#noteSeeded(queries, "bot.created", {}, botId, facts);
      return { botId, change: "created" };
    }
    const documentChanged = !isSameJson(stored.document, document);
    const enabledChanged = enabled !== undefined && Number(enabled) !== stored.enabled;
    if (documentChanged) await this.#addVersion(queries, stored.key, stored.version + 1, document, facts);
    const isRewritten = !documentChanged && (await this.#rewrite(queries, stored, document, facts));
    if (enabledChanged) await this.#setEnabled(queries, stored.key, enabled);
    if (documentChanged || isRewritten || enabledChanged)
      await this.#noteSeeded(queries, "bot.updated", recordOf(stored), botId, facts);
    if (!documentChanged && !enabledChanged) return { botId, change: "unchanged" };
    return { botId, change: "updated", ...undoneBy(documentChanged, stored, document, facts) };
  }

  /**
   * The same document, which may be written in another way: that is a version of its own, as whoever edits names the version that they have
   * seen. What a file says, too, is the file's from then on.
   *
   * @returns whether there is a new version.
   */
  async #rewrite(
    queries: Queries,
    stored: BotRow,
    document: BotDocument,
    facts: VersionFacts,
  ): Promise<boolean> {
    const { key, version } = stored;
    const origin = originOfBoth(stored.origin, facts.origin);
    if (facts.yaml === undefined || (await isWrittenAs(queries, stored, facts.yaml))) {
      const setOrigin = "UPDATE bot_versions SET origin = $1 WHERE bot_key = $2 AND version = $3";
      await queries.query(setOrigin, [origin, key, version]);
      return false;
    }
    await this.#addVersion(queries, key, version + 1, document, { ...facts, origin });
    await queries.query("UPDATE bot_rows SET intent_model = $1 WHERE key = $2", [stored.intent_model, key]);
    await bumpGeneration(queries);
    return true;
  }

  /** What is, is read back: it is what counts from now on. */
  async #noteSeeded(
    queries: Queries,
    kind: "bot.created" | "bot.updated",
    before: object,
    id: BotId,
    facts: VersionFacts,
  ): Promise<void> {
    const after = recordOf((await findRow(queries, id))!);
    const difference = seededDifference(before, after, facts);
    await this.#changes.append(queries, { kind, subject: id, bots: [id], ...difference });
  }

  async #insert(
    queries: Queries,
    document: BotDocument,
    enabled: boolean,
    facts: VersionFacts,
  ): Promise<void> {
    const now = this.#now();
    const [inserted] = await queries.query<{ key: BotKey }>(
      "INSERT INTO bot_rows (id, enabled, version, created_at, updated_at) VALUES ($1, $2, 0, $3, $3) RETURNING key::float8 AS key",
      [document.id, enabled, now],
    );
    await this.#addVersion(queries, inserted!.key, 1, document, facts);
  }

  async #addVersion(
    queries: Queries,
    key: BotKey,
    version: number,
    document: BotDocument,
    facts: VersionFacts,
  ): Promise<void> {
    const now = this.#now();
    await insertVersion(queries, { key, version, document, at: now, by: this.#changes.actor().name }, facts);
    await queries.query(
      "UPDATE bot_rows SET version = $1, intent_model = NULL, limits = $2, updated_at = $3 WHERE key = $4",
      [version, limitsOf(document), now, key],
    );
  }

  async #setEnabled(queries: Queries, key: BotKey, enabled: boolean): Promise<void> {
    await queries.query("UPDATE bot_rows SET enabled = $1, updated_at = $2 WHERE key = $3", [
      enabled,
      this.#now(),
      key,
    ]);
  }

  async #delete(queries: Queries, bot: BotRow, kind: "bot.deleted" | "bot.pruned"): Promise<void> {
    const [kept] = await queries.query<{ count: number }>(
      "SELECT count(*)::int4 AS count FROM conversations WHERE bot_key = $1",
      [bot.key],
    );
    await queries.query(
      `UPDATE bot_rows SET deleted_as = id, id = 'deleted ' || key, enabled = false, intent_model = NULL, updated_at = $2 WHERE key = $1`,
      [bot.key, this.#now()],
    );
    for (const table of GONE_WITH_BOT)
      await queries.query(`DELETE FROM ${table} WHERE bot_key = $1`, [bot.key]);
    const { fields, omittedFields } = diffDocuments(recordOf(bot), {});
    await this.#changes.append(queries, {
      kind,
      subject: bot.id,
      bots: [bot.id],
      fields: [{ field: "conversations", before: kept!.count, after: 0 }, ...fields],
      omittedFields,
    });
  }

  async #setModels(queries: Queries, { idOf, trained, encoder }: SeedModels): Promise<void> {
    for (const [id, model] of trained) await saveModel(queries, id, model, encoder);
    for (const [botId, modelId] of idOf) {
      await queries.query("UPDATE bot_rows SET intent_model = $1 WHERE id = $2", [modelId, botId]);
    }
    await deleteUnusedModels(queries, this.#now());
  }

  async #prune(
    queries: Queries,
    documents: readonly BotDocument[],
    { prune }: SeedOptions,
  ): Promise<SeedOutcome[]> {
    if (prune === false) return [];
    const others = await listOthers(queries, documents);
    const pruned: BotRow[] = [];
    for (const { id } of others) {
      if (prune === true || prune.includes(id)) pruned.push((await findRow(queries, id))!);
    }
    for (const bot of pruned) await this.#delete(queries, bot, "bot.pruned");
    return pruned.map(prunedOutcome);
  }
}
