import type { BotKey } from "../../interface/bots.ts";
import type { DocumentToStore, StoredDocument } from "../../interface/knowledge.ts";
import { documentFromRow, type DocumentKey, type DocumentRow } from "../../knowledge/document-rows.ts";
import type { Queries } from "../connection.ts";
import { textList } from "../storable.ts";

/** Of documents: their source has not retired. */
export const IS_ANSWERED_FROM = `NOT EXISTS (
  SELECT 1 FROM knowledge_sources
  WHERE knowledge_sources.bot_key = knowledge_documents.bot_key AND name = source AND is_retired)`;

const LIST = `
SELECT id, source, place, title, url, hash, etag, last_modified,
  (SELECT count(*)::int4 FROM knowledge_passages WHERE document_key = knowledge_documents.key) AS passages
FROM knowledge_documents WHERE bot_key = $1 ORDER BY place`;

const INSERT = `
INSERT INTO knowledge_documents (bot_key, id, source, place, title, url, hash, etag, last_modified)
SELECT $1::bigint, * FROM unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[])
RETURNING id, key::float8 AS key`;

export async function listDocuments(queries: Queries, bot: BotKey): Promise<StoredDocument[]> {
  return (await queries.query<DocumentRow>(LIST, [bot])).map(documentFromRow);
}

/** Part of the caller's transaction. @returns the key of each, by its id. */
export async function insertDocuments(
  queries: Queries,
  bot: BotKey,
  documents: readonly DocumentToStore[],
): Promise<Map<string, DocumentKey>> {
  const rows = await queries.query<{ id: string; key: DocumentKey }>(INSERT, [
    bot,
    textList(documents, ({ id }) => id),
    textList(documents, ({ source }) => source),
    textList(documents, ({ place }) => place),
    textList(documents, ({ title }) => title),
    textList(documents, ({ url }) => url),
    textList(documents, ({ hash }) => hash),
    textList(documents, ({ etag }) => etag),
    textList(documents, ({ lastModified }) => lastModified),
  ]);
  return new Map(rows.map(({ id, key }) => [id, key]));
}
