import type { Database } from "better-sqlite3";

import type { BotKey } from "../../interface/bots.ts";
import type { StoredSource } from "../../interface/knowledge.ts";
import { type SourceRow, sourceFromRow } from "../../knowledge/source-rows.ts";

/** The rows of sources. Its methods are parts of the caller's transaction. */
export class SqliteSources {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  list(bot: BotKey): StoredSource[] {
    return this.#db
      .prepare<[BotKey], SourceRow>(
        `SELECT name, origin, folder, entry, outcome, is_retired FROM knowledge_sources
         WHERE bot_key = ? ORDER BY place`,
      )
      .all(bot)
      .map((row) => sourceFromRow(row, bot));
  }

  replace(bot: BotKey, sources: readonly StoredSource[]): void {
    this.#db.prepare("DELETE FROM knowledge_sources WHERE bot_key = ?").run(bot);
    const insert = this.#db.prepare(
      `INSERT INTO knowledge_sources (bot_key, name, place, origin, folder, entry, outcome, is_retired)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    );
    for (const [place, { name, origin, folder, entry, outcome, isRetired = false }] of sources.entries())
      insert.run(bot, name, place, origin, folder, JSON.stringify(entry), jsonOf(outcome), Number(isRetired));
  }
}

function jsonOf(outcome: StoredSource["outcome"]): string | null {
  return outcome === undefined ? null : JSON.stringify(outcome);
}
