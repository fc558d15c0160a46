import { TERMS_VERSION } from "../../../knowledge/packed-terms.ts";
import type { Passage } from "../../../knowledge/passage.ts";
import type { IndexedPassage } from "../../../knowledge/search-index.ts";
import type { BotKey } from "../../interface/bots.ts";
import type { PassageToStore } from "../../interface/knowledge.ts";
import type { DocumentKey } from "../../knowledge/document-rows.ts";
import { IS_ANSWERED_FROM } from "../../knowledge/document-rows.ts";
import {
  indexedPassage,
  isOfThisVersion,
  passageFromRow,
  type PassageRow,
  type TermsRow,
} from "../../knowledge/passage-rows.ts";
import { List, type Queries } from "../connection.ts";
import { storableJson, textList } from "../storable.ts";

/** A passage to be stored in a document. */
interface PassageOfDocument extends PassageToStore {
  document: DocumentKey;
}

const INSERT = `
INSERT INTO knowledge_passages (document_key, heading_path, anchor, body, terms, terms_version)
SELECT *, $6::bigint FROM unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::bytea[])`;

const LIST_IDS = `
SELECT knowledge_passages.key::float8 AS key
FROM knowledge_passages JOIN knowledge_documents ON knowledge_documents.key = document_key
WHERE bot_key = $1 AND ${IS_ANSWERED_FROM} ORDER BY knowledge_passages.key`;

/** Looked up one by one, by the primary key: never by reading the whole table, however small it was when the statement was planned. */
const eachOf = (rows: string) => `
SELECT found.* FROM unnest($1::bigint[]) WITH ORDINALITY AS wanted (key, position)
CROSS JOIN LATERAL (${rows} LIMIT 1) AS found ORDER BY wanted.position`;

const READ_TERMS = eachOf(`
  SELECT key::float8 AS key, terms, terms_version::float8 AS terms_version
  FROM knowledge_passages WHERE knowledge_passages.key = wanted.key`);

const FIND = eachOf(`
  SELECT knowledge_passages.key::float8 AS key, id, title, url, heading_path, anchor, body
  FROM knowledge_passages JOIN knowledge_documents ON knowledge_documents.key = document_key
  WHERE knowledge_passages.key = wanted.key`);

/** Part of the caller's transaction. */
export async function insertPassages(
  queries: Queries,
  passages: readonly PassageOfDocument[],
): Promise<void> {
  const documents = passages.map(({ document }) => document);
  const terms = passages.map((passage) => passage.terms);
  await queries.query(INSERT, [
    new List(documents),
    textList(passages, ({ headingPath }) => storableJson(headingPath)),
    textList(passages, ({ anchor }) => anchor),
    textList(passages, ({ body }) => body),
    new List(terms),
    TERMS_VERSION,
  ]);
}

export async function listPassageIds(queries: Queries, bot: BotKey): Promise<number[]> {
  return (await queries.query<{ key: number }>(LIST_IDS, [bot])).map(({ key }) => key);
}

/** Terms that another version of Parley made are made anew. */
export async function readTerms(queries: Queries, ids: readonly number[]): Promise<IndexedPassage[]> {
  const rows = await queries.query<TermsRow>(READ_TERMS, [new List(ids)]);
  const others = rows.filter((row) => !isOfThisVersion(row)).map(({ key }) => key);
  const passages = others.length === 0 ? new Map<number, Passage>() : await findPassages(queries, others);
  return rows.flatMap((row) => indexedPassage(row, passages.get(row.key)));
}

export async function findPassages(queries: Queries, ids: readonly number[]): Promise<Map<number, Passage>> {
  const rows = await queries.query<PassageRow>(FIND, [new List(ids)]);
  return new Map(rows.map((row) => [row.key, passageFromRow(row)]));
}
