import type { EpochMs } from "../../../domain/time.ts";
import type { BotKey } from "../../interface/bots.ts";
import type { DocumentToStore, StoredDocument } from "../../interface/knowledge.ts";
import { among, byEngine, joined, sql } from "../../sql/sql.ts";
import { all, allGiven, first, run, type Work } from "../../sql/work.ts";
import { ROWS_AT_ONCE, stepsOf } from "../steps.ts";

/** Integer key of one state of a document; never leaves the store. */
export type DocumentKey = number & { readonly brand: "DocumentKey" };

/** Condition on documents: completely stored, and not replaced. Written as in SQLite's index. */
export const IS_LIVE = byEngine({ sqlite: "is_live = 1", postgres: "is_live" });

/** Condition on documents: their source is not retired. */
export const IS_ANSWERED_FROM = sql`NOT EXISTS (
  SELECT 1 FROM knowledge_sources
  WHERE knowledge_sources.bot_key = knowledge_documents.bot_key AND name = source AND is_retired)`;

export function* listDocuments(bot: BotKey): Work<StoredDocument[]> {
  return yield* allGiven<StoredDocument>(sql`
    SELECT id, source, place, title, url, hash, etag, last_modified AS "lastModified",
      (SELECT count(*) FROM knowledge_passages WHERE document_key = knowledge_documents.key) AS passages
    FROM knowledge_documents WHERE bot_key = ${bot} AND ${IS_LIVE} ORDER BY place`);
}

/** Number of documents that visitors get answers from. */
export function* countDocuments(bot: BotKey): Work<number> {
  const row = yield* first<{ count: number }>(sql`
    SELECT count(*) AS count FROM knowledge_documents WHERE bot_key = ${bot} AND ${IS_LIVE} AND ${IS_ANSWERED_FROM}`);
  return row!.count;
}

/**
 * Documents without their passages.
 *
 * @param isLive false: no search finds them yet.
 * @returns their keys by id; ids are unique.
 */
export function* insertDocuments(
  bot: BotKey,
  documents: readonly DocumentToStore[],
  { now, isLive }: { now: EpochMs; isLive: boolean },
): Work<Map<string, DocumentKey>> {
  const keys = new Map<string, DocumentKey>();
  for (const step of stepsOf(documents, ROWS_AT_ONCE)) {
    const rows = step.map(
      ({ id, source, place, title, url, hash, etag, lastModified }) => sql`
        (${bot}, ${id}, ${source}, ${place}, ${title}, ${url}, ${hash}, ${etag}, ${lastModified}, ${now}, ${isLive})`,
    );
    const inserted = yield* all<{ id: string; key: DocumentKey }>(sql`
      INSERT INTO knowledge_documents
        (bot_key, id, source, place, title, url, hash, etag, last_modified, stored_at, is_live)
      VALUES ${joined(rows, ", ")} RETURNING id, key`);
    for (const { id, key } of inserted) keys.set(id, key);
  }
  return keys;
}

/** Makes this state of a document the current one. */
export function* makeLive(document: DocumentKey): Work<void> {
  yield* run(sql`UPDATE knowledge_documents SET is_live = ${true} WHERE key = ${document}`);
}

/** Removes documents with these ids from search. @returns their keys, for the caller to delete. */
export function* retireDocuments(bot: BotKey, ids: readonly string[]): Work<DocumentKey[]> {
  const rows = yield* all<{ key: DocumentKey }>(sql`
    UPDATE knowledge_documents SET is_live = ${false}
    WHERE bot_key = ${bot} AND id IN ${among(ids)} AND ${IS_LIVE} RETURNING key`);
  return rows.map(({ key }) => key);
}

/** Documents that were stored before an instant, but never completed or since replaced: an interrupted command left them. */
export function* listAbandoned(bot: BotKey, before: EpochMs): Work<DocumentKey[]> {
  const rows = yield* all<{ key: DocumentKey }>(sql`
    SELECT key FROM knowledge_documents WHERE bot_key = ${bot} AND NOT ${IS_LIVE} AND stored_at <= ${before}`);
  return rows.map(({ key }) => key);
}

export function* deleteDocument(document: DocumentKey): Work<void> {
  yield* run(sql`DELETE FROM knowledge_documents WHERE key = ${document}`);
}
