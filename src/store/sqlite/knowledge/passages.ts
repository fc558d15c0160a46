import type { Database } from "better-sqlite3";

import { TERMS_VERSION } from "../../../knowledge/packed-terms.ts";
import type { Passage } from "../../../knowledge/passage.ts";
import type { IndexedPassage } from "../../../knowledge/search-index.ts";
import type { BotKey } from "../../interface/bots.ts";
import type { PassageToStore } from "../../interface/knowledge.ts";
import { type DocumentKey, IS_ANSWERED_FROM } from "../../knowledge/document-rows.ts";
import {
  type TermsRow,
  type PassageRow,
  isOfThisVersion,
  indexedPassage,
  passageFromRow,
} from "../../knowledge/passage-rows.ts";

const INSERT = `
  INSERT INTO knowledge_passages (document_key, heading_path, anchor, body, terms, terms_version)
  VALUES (?, ?, ?, ?, ?, ?)`;

const LIST_IDS = `
  SELECT knowledge_passages.key FROM knowledge_passages
  JOIN knowledge_documents ON knowledge_documents.key = document_key
  WHERE bot_key = ? AND is_live = 1 AND ${IS_ANSWERED_FROM} ORDER BY 1`;

const FIND = `
  SELECT knowledge_passages.key, id, title, url, heading_path, anchor, body
  FROM knowledge_passages JOIN knowledge_documents ON knowledge_documents.key = document_key
  WHERE knowledge_passages.key = ? AND is_live = 1`;

/** The rows of passages. Its methods are parts of the caller's transaction. */
export class SqlitePassages {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  insert(document: DocumentKey, passages: readonly PassageToStore[]): void {
    const insert = this.#db.prepare(INSERT);
    for (const { headingPath, anchor, body, terms } of passages)
      insert.run(document, JSON.stringify(headingPath), anchor ?? null, body, terms, TERMS_VERSION);
  }

  /** @returns how many were deleted. */
  deleteSome(document: DocumentKey, most: number): number {
    return this.#db
      .prepare(
        `DELETE FROM knowledge_passages
         WHERE key IN (SELECT key FROM knowledge_passages WHERE document_key = ? LIMIT ?)`,
      )
      .run(document, most).changes;
  }

  listIds(bot: BotKey): number[] {
    return this.#db.prepare<[BotKey], number>(LIST_IDS).pluck().all(bot);
  }

  /** Terms that another version of Parley made are made anew. */
  readTerms(ids: readonly number[]): IndexedPassage[] {
    const find = this.#db.prepare<[number], TermsRow>(
      "SELECT key, terms, terms_version FROM knowledge_passages WHERE key = ?",
    );
    return ids.flatMap((id) => {
      const row = find.get(id);
      if (!row) return [];
      return indexedPassage(row, isOfThisVersion(row) ? undefined : this.find([id]).get(id));
    });
  }

  find(ids: readonly number[]): Map<number, Passage> {
    const find = this.#db.prepare<[number], PassageRow>(FIND);
    const found = ids.flatMap((id) => find.get(id) ?? []);
    return new Map(found.map((row) => [row.key, passageFromRow(row)]));
  }
}
