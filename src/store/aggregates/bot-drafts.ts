import type { BotKey, SeenDraft, StoredDraft } from "../interface/bots.ts";
import { FOR_UPDATE, sql } from "../sql/sql.ts";
import { all, first, run, type Work } from "../sql/work.ts";
import { AuditedPart } from "./part.ts";

/** Unpublished drafts of bots, one for each bot. Every change of a draft locks the bot's row first. */
export class SqlBotDrafts extends AuditedPart {
  find(bot: BotKey): Promise<StoredDraft | undefined> {
    return this.engine.read(() => find(bot));
  }

  /** Keys of the bots that have a draft. */
  async list(): Promise<ReadonlySet<BotKey>> {
    const rows = await this.engine.read(() => all<{ bot_key: BotKey }>(sql`SELECT bot_key FROM bot_drafts`));
    return new Set(rows.map(({ bot_key: bot }) => bot));
  }

  /** @returns undefined if the draft is not the one that was seen, or the bot is gone: nothing is changed then. */
  save(
    bot: BotKey,
    content: Pick<StoredDraft, "yaml" | "baseVersion">,
    seen: SeenDraft,
  ): Promise<StoredDraft | undefined> {
    return this.engine.write(() => this.#save(bot, content, seen));
  }

  /** @returns false if the draft is not the one that was seen: nothing is changed then. */
  delete(bot: BotKey, seen: SeenDraft): Promise<boolean> {
    return this.engine.write(function* () {
      if (!(yield* lockBot(bot)) || seenOf(yield* find(bot)) !== seen) return false;
      yield* run(sql`DELETE FROM bot_drafts WHERE bot_key = ${bot}`);
      return true;
    });
  }

  *#save(
    bot: BotKey,
    { yaml, baseVersion }: Pick<StoredDraft, "yaml" | "baseVersion">,
    seen: SeenDraft,
  ): Work<StoredDraft | undefined> {
    const isThere = yield* lockBot(bot);
    const stored = yield* find(bot);
    if (!isThere || seenOf(stored) !== seen) return undefined;
    const now = this.now();
    // The revision starts at the current time, so that a deleted draft's revision does not come back.
    const revision = Math.max(now, (stored?.revision ?? 0) + 1);
    yield* run(sql`
      INSERT INTO bot_drafts (bot_key, revision, yaml, base_version, updated_at, updated_by)
      VALUES (${bot}, ${revision}, ${yaml}, ${baseVersion}, ${now}, ${this.changes.actor().name})
      ON CONFLICT (bot_key) DO UPDATE SET revision = excluded.revision, yaml = excluded.yaml,
        base_version = excluded.base_version, updated_at = excluded.updated_at, updated_by = excluded.updated_by`);
    return yield* find(bot);
  }
}

function* find(bot: BotKey): Work<StoredDraft | undefined> {
  return yield* first<StoredDraft>(sql`
    SELECT yaml, base_version AS "baseVersion", revision, updated_at AS "updatedAt", updated_by AS "updatedBy"
    FROM bot_drafts WHERE bot_key = ${bot}`);
}

/** @returns false if the bot is gone. */
function* lockBot(bot: BotKey): Work<boolean> {
  return (yield* first(sql`SELECT 1 AS one FROM bots WHERE key = ${bot} ${FOR_UPDATE}`)) !== undefined;
}

function seenOf(stored: StoredDraft | undefined): SeenDraft {
  return stored?.revision ?? "none";
}
