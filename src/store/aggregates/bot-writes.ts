import type { BotDocument } from "../../domain/bot.ts";
import type { Now } from "../../domain/time.ts";
import {
  type BotRow,
  GONE_WITH_BOT,
  isSameJson,
  limitsOf,
  originOfBoth,
  prunedOutcome,
  recordOf,
  seededDifference,
  undoneBy,
  type VersionFacts,
} from "../bot-rows.ts";
import { diffDocuments } from "../changes/field-changes.ts";
import type { BotKey, SeedModels, SeedOutcome } from "../interface/bots.ts";
import { json, sql, text } from "../sql/sql.ts";
import { first, run, type Work } from "../sql/work.ts";
import type { SqlChanges } from "./changes.ts";
import { bumpGeneration } from "./generation.ts";
import { deleteUnusedIntentModels, saveIntentModel } from "./intent-models.ts";

/** Writes to single bots, inside the transaction that has locked the generation. */
export class BotWrites {
  readonly #now: Now;
  readonly #changes: Pick<SqlChanges, "append" | "actor">;

  constructor(now: Now, changes: Pick<SqlChanges, "append" | "actor">) {
    this.#now = now;
    this.#changes = changes;
  }

  /** A stored document that cannot be read counts as different, so that seeding the bot again repairs it. */
  *seed(
    stored: BotRow | undefined,
    { enabled, ...document }: BotDocument,
    facts: VersionFacts,
  ): Work<SeedOutcome> {
    const botId = document.id;
    if (!stored) {
      yield* this.#insert(document, enabled ?? true, facts);
      return { botId, change: "created" };
    }
    const documentChanged = !isSameJson(stored.document, document);
    const enabledChanged = enabled !== undefined && enabled !== Boolean(stored.enabled);
    if (documentChanged) yield* this.#addVersion(stored.key, stored.version + 1, document, facts);
    const isRewritten = !documentChanged && (yield* this.#rewrite(stored, document, facts));
    if (enabledChanged) yield* this.#setEnabled(stored.key, enabled);
    if (documentChanged || isRewritten || enabledChanged)
      yield* this.#noteSeeded("bot.updated", stored, stored.key, facts);
    if (!documentChanged && !enabledChanged) return { botId, change: "unchanged" };
    return { botId, change: "updated", ...undoneBy(documentChanged, stored, document, facts) };
  }

  /** Enables or disables a bot. */
  *switchOver({ key, id, enabled: before }: BotRow, enabled: boolean): Work<void> {
    if (Boolean(before) === enabled) return;
    yield* this.#setEnabled(key, enabled);
    yield* this.#changes.append({
      kind: enabled ? "bot.enabled" : "bot.disabled",
      subject: id,
      bots: [id],
      fields: [{ field: "enabled", before: !enabled, after: enabled }],
    });
  }

  *prune(bot: BotRow): Work<SeedOutcome> {
    yield* this.delete(bot, "bot.pruned");
    return prunedOutcome(bot);
  }

  *delete(bot: BotRow, kind: "bot.deleted" | "bot.pruned"): Work<void> {
    const { key, id } = bot;
    const kept = yield* first<{ count: number }>(
      sql`SELECT count(*) AS count FROM conversations WHERE bot_key = ${key}`,
    );
    yield* run(sql`
      UPDATE bot_rows SET deleted_as = id, id = 'deleted ' || key, enabled = ${false}, intent_model = NULL,
        updated_at = ${this.#now()} WHERE key = ${key}`);
    for (const table of GONE_WITH_BOT) yield* run(sql`DELETE FROM ${text(table)} WHERE bot_key = ${key}`);
    const { fields, omittedFields } = diffDocuments(recordOf(bot), {});
    yield* this.#changes.append({
      kind,
      subject: id,
      bots: [id],
      fields: [{ field: "conversations", before: kept!.count, after: 0 }, ...fields],
      omittedFields,
    });
  }

  *setModels({ idOf, trained, encoder }: SeedModels): Work<void> {
    for (const [id, model] of trained) yield* saveIntentModel(id, model, encoder);
    for (const [botId, modelId] of idOf)
      yield* run(sql`UPDATE bot_rows SET intent_model = ${modelId} WHERE id = ${botId}`);
    yield* deleteUnusedIntentModels(this.#now());
  }

  /** Whether the stored text of a bot's version is this text. */
  *isWrittenAs({ key, version }: BotRow, yaml: string): Work<boolean> {
    const row = yield* first<{ same: boolean | number }>(sql`
      SELECT yaml IS NOT DISTINCT FROM ${yaml} AS same FROM bot_versions WHERE bot_key = ${key} AND version = ${version}`);
    return Boolean(row!.same);
  }

  /**
   * The same document. A different text of it is a new version, because an editor names the version that they have seen. If a file
   * has the same text as the console's version, the version's origin becomes the file.
   *
   * @returns whether there is a new version.
   */
  *#rewrite(stored: BotRow, document: BotDocument, facts: VersionFacts): Work<boolean> {
    const { key, version } = stored;
    const origin = originOfBoth(stored.origin, facts.origin);
    if (facts.yaml === undefined || (yield* this.isWrittenAs(stored, facts.yaml))) {
      yield* run(
        sql`UPDATE bot_versions SET origin = ${origin} WHERE bot_key = ${key} AND version = ${version}`,
      );
      return false;
    }
    yield* this.#addVersion(key, version + 1, document, { ...facts, origin });
    yield* run(sql`UPDATE bot_rows SET intent_model = ${stored.intentModelId} WHERE key = ${key}`);
    yield* bumpGeneration();
    return true;
  }

  /** Notes the change from the row as it is stored now. */
  *#noteSeeded(
    kind: "bot.created" | "bot.updated",
    before: BotRow | undefined,
    key: BotKey,
    facts: VersionFacts,
  ): Work<void> {
    const row = yield* first<BotRow>(sql`
      SELECT bots.id, bots.enabled, bots.version, document
      FROM bots JOIN bot_versions ON bot_key = bots.key AND bot_versions.version = bots.version WHERE bots.key = ${key}`);
    const difference = seededDifference(before ? recordOf(before) : {}, recordOf(row!), facts);
    yield* this.#changes.append({ kind, subject: row!.id, bots: [row!.id], ...difference });
  }

  *#insert(document: BotDocument, enabled: boolean, facts: VersionFacts): Work<void> {
    const now = this.#now();
    const inserted = yield* first<{ key: BotKey }>(sql`
      INSERT INTO bot_rows (id, enabled, version, created_at, updated_at)
      VALUES (${document.id}, ${enabled}, 0, ${now}, ${now}) RETURNING key`);
    yield* this.#addVersion(inserted!.key, 1, document, facts);
    yield* this.#noteSeeded("bot.created", undefined, inserted!.key, facts);
  }

  *#addVersion(key: BotKey, version: number, document: BotDocument, facts: VersionFacts): Work<void> {
    const now = this.#now();
    const { origin, yaml, note, restoredFrom } = facts;
    yield* run(sql`
      INSERT INTO bot_versions (bot_key, version, document, created_at, yaml, origin, published_by, note, restored_from)
      VALUES (${key}, ${version}, ${json(document)}, ${now}, ${yaml}, ${origin}, ${this.#changes.actor().name}, ${note},
        ${restoredFrom})`);
    yield* run(sql`
      UPDATE bot_rows SET version = ${version}, intent_model = NULL, limits = ${limitsOf(document)}, updated_at = ${now}
      WHERE key = ${key}`);
  }

  *#setEnabled(key: BotKey, enabled: boolean): Work<void> {
    yield* run(sql`UPDATE bot_rows SET enabled = ${enabled}, updated_at = ${this.#now()} WHERE key = ${key}`);
  }
}
