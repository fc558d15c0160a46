import type { Database } from "better-sqlite3";

import type { EpochMs } from "../../../domain/time.ts";
import type { BotKey } from "../../interface/bots.ts";
import type { DocumentToStore } from "../../interface/knowledge.ts";
import { type DocumentKey } from "../../knowledge/document-rows.ts";

const INSERT = `
  INSERT INTO knowledge_documents
    (bot_key, id, source, place, title, url, hash, etag, last_modified, stored_at, is_live)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0)`;

/** The rows of documents. Its methods are parts of the caller's transaction. */
export class SqliteDocuments {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** A document that nobody finds yet. */
  insert(bot: BotKey, document: DocumentToStore, now: EpochMs): DocumentKey {
    const { id, source, place, title, url, hash, etag, lastModified } = document;
    const { lastInsertRowid } = this.#db
      .prepare(INSERT)
      .run(bot, id, source, place, title, url ?? null, hash, etag ?? null, lastModified ?? null, now);
    return Number(lastInsertRowid) as DocumentKey;
  }

  /** From now on this is the document with that id. @returns what it replaces, for the caller to delete. */
  putInPlace(bot: BotKey, id: string, key: DocumentKey): DocumentKey[] {
    const replaced = this.retire(bot, id);
    this.#db.prepare("UPDATE knowledge_documents SET is_live = 1 WHERE key = ?").run(key);
    return replaced;
  }

  /** From now on there is no document with that id. @returns what is to be deleted by the caller. */
  retire(bot: BotKey, id: string): DocumentKey[] {
    return this.#db
      .prepare<[BotKey, string], DocumentKey>(
        "UPDATE knowledge_documents SET is_live = 0 WHERE bot_key = ? AND id = ? AND is_live = 1 RETURNING key",
      )
      .pluck()
      .all(bot, id);
  }

  /** Documents that a command left behind: nobody finds them, and they were stored before that instant. */
  abandoned(bot: BotKey, before: EpochMs): DocumentKey[] {
    return this.#db
      .prepare<[BotKey, EpochMs], DocumentKey>(
        "SELECT key FROM knowledge_documents WHERE bot_key = ? AND is_live = 0 AND stored_at <= ?",
      )
      .pluck()
      .all(bot, before);
  }

  delete(key: DocumentKey): void {
    this.#db.prepare("DELETE FROM knowledge_documents WHERE key = ?").run(key);
  }
}
