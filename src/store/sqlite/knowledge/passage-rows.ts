import { Type } from "@sinclair/typebox";
import type { Database } from "better-sqlite3";

import {
  type PackedTerms,
  TERMS_VERSION,
  TermsUnpacker,
  termsOfPassage,
} from "../../../knowledge/packed-terms.ts";
import { type Passage, titleOf } from "../../../knowledge/passage.ts";
import type { IndexedPassage } from "../../../knowledge/search-index.ts";
import type { BotKey } from "../../interface/bots.ts";
import type { PassageToStore } from "../../interface/knowledge.ts";
import { JsonColumn } from "../../json-column.ts";
import { type DocumentKey, IS_ANSWERED_FROM } from "./document-rows.ts";

const HEADING_PATHS = new JsonColumn(
  "knowledge_passages.heading_path",
  Type.Array(Type.String()),
  "remove the document and seed again",
);

/** A passage's terms as statements read them, whatever the engine. */
export interface TermsRow {
  key: number;
  terms: Uint8Array;
  terms_version: number;
}

/** A passage as statements read it, whatever the engine. */
export interface PassageRow {
  key: number;
  id: string;
  title: string;
  url: string | null;
  heading_path: string;
  anchor: string | null;
  body: string;
}

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

const unpacker = new TermsUnpacker();

/** Whether this version of Parley made the terms; otherwise they are made anew of the passage. */
export function isOfThisVersion({ terms_version: version }: Pick<TermsRow, "terms_version">): boolean {
  return version === TERMS_VERSION;
}

/**
 * What a passage is found by: nothing where it is gone meanwhile.
 *
 * @param passage the passage itself, where its terms are not of this version
 */
export function indexedPassage(row: TermsRow, passage: Passage | undefined): IndexedPassage[] {
  if (isOfThisVersion(row)) return [{ id: row.key, terms: unpackTerms(row.terms) }];
  return passage ? [{ id: row.key, terms: termsOfPassage(titleOf(passage), passage.body) }] : [];
}

/** Terms that stay as they are when the next ones are unpacked. */
function unpackTerms(bytes: Uint8Array): PackedTerms {
  const { hashes, counts } = unpacker.unpack(bytes);
  return { hashes: hashes.slice(), counts };
}

/** The rows of passages. Its methods are parts of the caller's transaction. */
export class PassageRows {
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

export function passageFromRow({
  key,
  id,
  title,
  url,
  heading_path: path,
  anchor,
  body,
}: PassageRow): Passage {
  return {
    documentId: id,
    title,
    headingPath: HEADING_PATHS.parse(path, `passage ${key}`),
    ...(url !== null && { url }),
    ...(anchor !== null && { anchor }),
    body,
  };
}
