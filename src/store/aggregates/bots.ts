import type { BotDocument } from "../../domain/bot.ts";
import type { Now } from "../../domain/time.ts";
import {
  botFromRow,
  type BotRow,
  DryRun,
  factsOfFile,
  factsOfPublication,
  headFromRow,
  type HeadRow,
  NO_MODELS,
  outlineFromRow,
  type OutlineRow,
  parseDocument,
  refusalOf,
  type WrittenRow,
} from "../bot-rows.ts";
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
import { byEngine, type Sql, sql, where } from "../sql/sql.ts";
import { all, allGiven, type Engine, first, firstGiven, run, type Work } from "../sql/work.ts";
import { BotWrites } from "./bot-writes.ts";
import type { SqlChanges } from "./changes.ts";
import { bumpGeneration, lockGeneration } from "./generation.ts";

const SELECT_BOT = sql`
  SELECT bots.key, bots.id, bots.enabled, bots.version, bots.intent_model AS "intentModelId", bots.created_at AS "createdAt",
    bots.updated_at AS "updatedAt", bot_versions.document, bot_versions.origin
  FROM bots JOIN bot_versions ON bot_versions.bot_key = bots.key AND bot_versions.version = bots.version`;

/** Columns read from a document that may not be valid JSON. */
const OUTLINE = {
  name: byEngine({
    sqlite: "CASE WHEN json_valid(document) THEN document ->> '$.name' END",
    postgres: "json ->> 'name'",
  }),
  intents: byEngine({
    sqlite: "CASE WHEN json_valid(document) THEN json_array_length(document, '$.intents') END",
    postgres:
      "CASE WHEN json_typeof(json -> 'intents') = 'array' THEN json_array_length(json -> 'intents') END",
  }),
  from: byEngine({ sqlite: "", postgres: ", parley_json(document) AS json" }),
};

const VERSION = sql`
  version, origin, created_at AS "publishedAt", published_by AS "publishedBy", note, restored_from AS "restoredFrom"`;

/** Of the bot with this key, unless it was deleted. */
const isOfBot = (key: BotKey): Sql => sql`bot_key = (SELECT key FROM bots WHERE key = ${key})`;

/** Bots and their versions. `seed` expects validated documents. Every change locks the generation first, so that two seeds run one after the other. */
export class SqlBots {
  readonly #engine: Engine;
  readonly #writes: BotWrites;

  constructor(engine: Engine, now: Now, changes: Pick<SqlChanges, "append" | "actor">) {
    this.#engine = engine;
    this.#writes = new BotWrites(now, changes);
  }

  /** All bots, by id. */
  list(): Promise<StoredBot[]> {
    return this.#engine.read(listBots);
  }

  /** All bots, by id, for a list; documents are not read. @param id only this bot. */
  async outline(id?: string): Promise<BotOutline[]> {
    const statement = sql`
      SELECT bots.key, bots.id, bots.enabled, bots.version, bot_versions.origin, bots.updated_at AS "updatedAt", bots.limits,
        ${OUTLINE.name} AS name, ${OUTLINE.intents} AS intents
      FROM bots JOIN bot_versions ON bot_versions.bot_key = bots.key AND bot_versions.version = bots.version ${OUTLINE.from}
      ${where(id === undefined ? undefined : sql`bots.id = ${id}`)} ORDER BY bots.id`;
    return (await this.#engine.read(() => all<OutlineRow>(statement))).map(outlineFromRow);
  }

  /** The enabled bots, by id, without their documents: a server with thousands of bots starts at once, and follows changes. */
  async listEnabled(): Promise<BotHead[]> {
    const statement = sql`SELECT key, id, version, intent_model AS "intentModelId", limits FROM bots WHERE enabled ORDER BY id`;
    return (await this.#engine.read(() => all<HeadRow>(statement))).map(headFromRow);
  }

  async find(id: string): Promise<StoredBot | undefined> {
    const row = await this.#engine.read(() => findRow(id));
    return row && botFromRow(row);
  }

  /** The bots that are not in the documents, by id. */
  listOthers(documents: readonly BotDocument[]): Promise<Pick<StoredBot, "id" | "key">[]> {
    return this.#engine.read(() => listOthers(documents));
  }

  /** Id of a bot's intent model; undefined if there is no such bot, or it is not trained. */
  async findIntentModelId(id: string): Promise<string | undefined> {
    return (await this.#engine.read(() => findRow(id)))?.intentModelId ?? undefined;
  }

  /** The document as it was at `version`, for explaining an old turn. */
  async findVersion(key: BotKey, version: number): Promise<BotDocument | undefined> {
    return (await this.findSized(key, version))?.document;
  }

  /** The document of a version; `name` is the bot's name in errors. */
  async findSized(key: BotKey, version: number, name = String(key)): Promise<SizedDocument | undefined> {
    const statement = sql`SELECT document FROM bot_versions WHERE ${isOfBot(key)} AND version = ${version}`;
    const row = await this.#engine.read(() => first<{ document: string }>(statement));
    return row && { document: parseDocument(row.document, version, name), characters: row.document.length };
  }

  /** The same, with its source text and publisher. */
  async findWritten(key: BotKey, version: number): Promise<WrittenVersion | undefined> {
    const statement = sql`
      SELECT ${VERSION}, document, yaml FROM bot_versions WHERE ${isOfBot(key)} AND version = ${version}`;
    const row = await this.#engine.read(() => firstGiven<WrittenRow>(statement));
    return row && { ...row, document: parseDocument(row.document, version, String(key)) };
  }

  /** At most `limit` versions, the latest first; with `before`, only earlier ones. */
  listVersions(key: BotKey, limit: number, before = Number.MAX_SAFE_INTEGER): Promise<BotVersion[]> {
    const statement = sql`
      SELECT ${VERSION} FROM bot_versions WHERE ${isOfBot(key)} AND version < ${before} ORDER BY version DESC LIMIT ${limit}`;
    return this.#engine.read(() => allGiven<BotVersion>(statement));
  }

  /**
   * Creates or updates bots by id, all in one transaction. Returns an outcome for each document, then one for each pruned bot. Bots
   * without a model are trained by the server that loads them.
   *
   * @throws ConsoleChangesError if this undoes changes of the console, without `force` and in no dry run.
   */
  async seed(
    documents: readonly BotDocument[],
    options: SeedOptions,
    models = NO_MODELS,
  ): Promise<SeedOutcome[]> {
    try {
      return await this.#engine.write(() => this.#seed(documents, options, models));
    } catch (error) {
      if (error instanceof DryRun) return error.outcomes;
      throw error;
    }
  }

  /** Makes a document a bot's next version, even if only its text differs. Deletes the draft that it was made from. */
  publish(publication: Publication, models = NO_MODELS): Promise<PublicationOutcome> {
    return this.#engine.write(() => this.#publish(publication, models));
  }

  /** Sets bots' models, unless a bot has been seeded since it was trained. */
  setModels(models: SeedModels, versions: ReadonlyMap<string, number>): Promise<void> {
    return this.#engine.write(() => this.#setModels(models, versions));
  }

  /** @returns false when there is no such bot. */
  setEnabled(id: string, enabled: boolean): Promise<boolean> {
    return this.#engine.write(() => this.#change(id, (bot) => this.#writes.switchOver(bot, enabled)));
  }

  /**
   * Deletes the bot: from this commit on no query finds the bot or its data, and its id is free. The data is erased afterwards in
   * steps, by `Erasure.eraseSomeOf`.
   *
   * @returns false when there is no such bot.
   */
  delete(id: string): Promise<boolean> {
    return this.#engine.write(() => this.#change(id, (bot) => this.#writes.delete(bot, "bot.deleted")));
  }

  /** Deleted bots with data that is not erased, the oldest bot first. */
  listDeleted(): Promise<DeletedBot[]> {
    const statement = sql`
      SELECT key, deleted_as AS id, (SELECT count(*) FROM conversations WHERE bot_key = bot_rows.key) AS conversations
      FROM bot_rows WHERE deleted_as IS NOT NULL ORDER BY bot_rows.key`;
    return this.#engine.read(() => all<DeletedBot>(statement));
  }

  *#change(id: string, change: (bot: BotRow) => Work<void>): Work<boolean> {
    yield* lockGeneration();
    const bot = yield* findRow(id);
    if (!bot) return false;
    yield* change(bot);
    yield* bumpGeneration();
    return true;
  }

  *#seed(documents: readonly BotDocument[], options: SeedOptions, models: SeedModels): Work<SeedOutcome[]> {
    yield* lockGeneration();
    const outcomes: SeedOutcome[] = [];
    for (const document of documents) {
      const stored = yield* findRow(document.id);
      outcomes.push(yield* this.#writes.seed(stored, document, factsOfFile(document.id, options)));
    }
    outcomes.push(...(yield* this.#prune(documents, options)));
    yield* this.#writes.setModels(models);
    if (options.dryRun) throw new DryRun(outcomes);
    refuseConsoleChanges(outcomes, options);
    if (outcomes.some((outcome) => outcome.change !== "unchanged")) yield* bumpGeneration();
    return outcomes;
  }

  *#publish(publication: Publication, models: SeedModels): Work<PublicationOutcome> {
    yield* lockGeneration();
    const { document, yaml, draft } = publication;
    const stored = yield* findRow(document.id);
    const isSameText = stored !== undefined && (yield* this.#writes.isWrittenAs(stored, yaml));
    const refused = refusalOf(publication, stored, isSameText);
    if (refused !== undefined) return refused;
    const { change } = yield* this.#writes.seed(stored, document, factsOfPublication(publication));
    if (stored && draft !== undefined)
      yield* run(sql`DELETE FROM bot_drafts WHERE bot_key = ${stored.key} AND revision = ${draft}`);
    yield* this.#writes.setModels(models);
    if (change === "unchanged" && isSameText) return "unchanged";
    yield* bumpGeneration();
    return "published";
  }

  *#setModels(models: SeedModels, versions: ReadonlyMap<string, number>): Work<void> {
    yield* lockGeneration();
    const current = new Map<string, string>();
    for (const [id, model] of models.idOf) {
      if ((yield* findRow(id))?.version === versions.get(id)) current.set(id, model);
    }
    yield* this.#writes.setModels({ ...models, idOf: current });
  }

  *#prune(documents: readonly BotDocument[], { prune }: SeedOptions): Work<SeedOutcome[]> {
    if (prune === false) return [];
    const outcomes: SeedOutcome[] = [];
    for (const { id } of yield* listOthers(documents)) {
      if (prune === true || prune.includes(id))
        outcomes.push(yield* this.#writes.prune((yield* findRow(id))!));
    }
    return outcomes;
  }
}

/** All bots, by id. */
export function* listBots(): Work<StoredBot[]> {
  return (yield* all<BotRow>(sql`${SELECT_BOT} ORDER BY bots.id`)).map(botFromRow);
}

/** A bot as it is now. */
export function findRow(id: string): Work<BotRow | undefined> {
  return first<BotRow>(sql`${SELECT_BOT} WHERE bots.id = ${id}`);
}

/** The bots that are not in the documents, by id. */
function* listOthers(documents: readonly BotDocument[]): Work<Pick<StoredBot, "id" | "key">[]> {
  const ids = new Set(documents.map(({ id }) => id));
  const bots = yield* all<Pick<StoredBot, "id" | "key">>(sql`SELECT id, key FROM bots ORDER BY id`);
  return bots.filter(({ id }) => !ids.has(id));
}
