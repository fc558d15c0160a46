import type { BotKey } from "../../interface/bots.ts";
import type { DocumentToStore } from "../../interface/knowledge.ts";
import { type DocumentKey } from "../../knowledge/document-rows.ts";
import type { Queries } from "../connection.ts";
import { textList } from "../storable.ts";

const INSERT = `
INSERT INTO knowledge_documents (bot_key, id, source, place, title, url, hash, etag, last_modified)
SELECT $1::bigint, * FROM unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[])
RETURNING id, key::float8 AS key`;

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
