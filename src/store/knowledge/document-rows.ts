import type { StoredDocument } from "../interface/knowledge.ts";

/** Integer key of one state of a document; never leaves the store. */
export type DocumentKey = number & { readonly brand: "DocumentKey" };

/** A document as statements read it, whatever the engine. */
export interface DocumentRow {
  id: string;
  source: string;
  place: string;
  title: string;
  url: string | null;
  hash: string;
  etag: string | null;
  last_modified: string | null;
  passages: number;
}

/** Of documents: their source has not retired. */
export const IS_ANSWERED_FROM = `NOT EXISTS (
    SELECT 1 FROM knowledge_sources
    WHERE knowledge_sources.bot_key = knowledge_documents.bot_key AND name = source AND is_retired)`;

export function documentFromRow({
  url,
  etag,
  last_modified: lastModified,
  ...row
}: DocumentRow): StoredDocument {
  return {
    ...row,
    ...(url !== null && { url }),
    ...(etag !== null && { etag }),
    ...(lastModified !== null && { lastModified }),
  };
}
