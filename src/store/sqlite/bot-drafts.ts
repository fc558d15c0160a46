import type { Database } from "better-sqlite3";

import type { Now } from "../../domain/time.ts";
import { type DraftRow, draftFromRow, seenOf, nextDraft } from "../draft-rows.ts";
import type { BotKey, SeenDraft, StoredDraft } from "../interface/bots.ts";
import type { ChangeRecorder } from "./changes/changes.ts";

/** What is being edited of bots, one of each. */
export class SqliteBotDrafts {
  readonly #db: Database;
  readonly #now: Now;
  readonly #changes: Pick<ChangeRecorder, "actor">;

  constructor(db: Database, now: Now, changes: Pick<ChangeRecorder, "actor">) {
    this.#db = db;
    this.#now = now;
    this.#changes = changes;
  }

  find(bot: BotKey): StoredDraft | undefined {
    const row = this.#db
      .prepare<[BotKey], DraftRow>(
        "SELECT yaml, base_version, revision, updated_at, updated_by FROM bot_drafts WHERE bot_key = ?",
      )
      .get(bot);
    return row && draftFromRow(row);
  }

  /** Keys of the bots that have one. */
  list(): ReadonlySet<BotKey> {
    return new Set(this.#db.prepare<[], BotKey>("SELECT bot_key FROM bot_drafts").pluck().all());
  }

  /** @returns undefined where the draft is another than was seen, or the bot is gone: nothing is changed then. */
  save(
    bot: BotKey,
    { yaml, baseVersion }: Pick<StoredDraft, "yaml" | "baseVersion">,
    seen: SeenDraft,
  ): StoredDraft | undefined {
    return this.#db
      .transaction(() => {
        const stored = this.find(bot);
        if (seenOf(stored) !== seen) return undefined;
        const draft = nextDraft({ yaml, baseVersion }, stored, this.#now(), this.#changes.actor().name);
        const { changes } = this.#db
          .prepare(
            `INSERT INTO bot_drafts (bot_key, revision, yaml, base_version, updated_at, updated_by)
             SELECT key, @revision, @yaml, @baseVersion, @updatedAt, @updatedBy FROM bots WHERE key = @bot
             ON CONFLICT (bot_key) DO UPDATE SET revision = @revision, yaml = @yaml, base_version = @baseVersion,
               updated_at = @updatedAt, updated_by = @updatedBy`,
          )
          .run({ ...draft, bot });
        return changes === 0 ? undefined : draft;
      })
      .immediate();
  }

  /** @returns false where the draft is another than was seen: nothing is changed then. */
  delete(bot: BotKey, seen: SeenDraft): boolean {
    return this.#db
      .transaction(() => {
        if (seenOf(this.find(bot)) !== seen) return false;
        this.#db.prepare("DELETE FROM bot_drafts WHERE bot_key = ?").run(bot);
        return true;
      })
      .immediate();
  }
}
