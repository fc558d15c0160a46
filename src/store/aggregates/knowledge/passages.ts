import { Type } from "@sinclair/typebox";

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
import { among, byEngine, joined, json, sql } from "../../sql/sql.ts";
import { all, run, type Work } from "../../sql/work.ts";
import { ROWS_AT_ONCE, stepsOf } from "../steps.ts";
import { type DocumentKey, IS_ANSWERED_FROM, IS_LIVE } from "./documents.ts";

const HEADING_PATHS = new JsonColumn(
  "knowledge_passages.heading_path",
  Type.Array(Type.String()),
  "remove the document and seed again",
);

/** A passage to be stored in a document. */
export interface PassageOfDocument extends PassageToStore {
  document: DocumentKey;
}

interface TermsRow {
  key: number;
  terms: Uint8Array;
  terms_version: number;
}

interface PassageRow {
  key: number;
  id: string;
  title: string;
  url: string | null;
  heading_path: string;
  anchor: string | null;
  body: string;
}

/** Looks up one row by the primary key. A join might read the whole table, if the table was small when PostgreSQL planned the statement. */
const lookedUp = (table: string, key: string) =>
  byEngine({
    sqlite: `${table} ON ${table}.key = ${key}`,
    postgres: `LATERAL (SELECT * FROM ${table} WHERE ${table}.key = ${key} LIMIT 1) AS ${table}`,
  });

const PASSAGE = lookedUp("knowledge_passages", "wanted.value");
const DOCUMENT = lookedUp("knowledge_documents", "document_key");

const unpacker = new TermsUnpacker();

export function* insertPassages(passages: readonly PassageOfDocument[]): Work<void> {
  for (const step of stepsOf(passages, ROWS_AT_ONCE)) {
    const rows = step.map(
      ({ document, headingPath, anchor, body, terms }) =>
        sql`(${document}, ${json(headingPath)}, ${anchor}, ${body}, ${terms}, ${TERMS_VERSION})`,
    );
    yield* run(sql`
      INSERT INTO knowledge_passages (document_key, heading_path, anchor, body, terms, terms_version)
      VALUES ${joined(rows, ", ")}`);
  }
}

/** @returns how many were deleted. */
export function* deletePassages(document: DocumentKey, most: number): Work<number> {
  return yield* run(sql`
    DELETE FROM knowledge_passages
    WHERE key IN (SELECT key FROM knowledge_passages WHERE document_key = ${document} LIMIT ${most})`);
}

export function* listPassageIds(bot: BotKey): Work<number[]> {
  const rows = yield* all<{ key: number }>(sql`
    SELECT knowledge_passages.key AS key
    FROM knowledge_passages JOIN knowledge_documents ON knowledge_documents.key = document_key
    WHERE bot_key = ${bot} AND ${IS_LIVE} AND ${IS_ANSWERED_FROM} ORDER BY 1`);
  return rows.map(({ key }) => key);
}

/** Terms stored by another version of Parley are computed again from the passage. */
export function* readTerms(ids: readonly number[]): Work<IndexedPassage[]> {
  if (ids.length === 0) return [];
  const rows = yield* all<TermsRow>(sql`
    SELECT knowledge_passages.key AS key, terms, terms_version FROM ${among(ids)} AS wanted CROSS JOIN ${PASSAGE}`);
  const others = rows.filter((row) => row.terms_version !== TERMS_VERSION).map(({ key }) => key);
  const passages = yield* findPassages(others);
  const read = new Map(rows.map((row) => [row.key, termsOf(row, passages.get(row.key))]));
  return ids.flatMap((id) => {
    const terms = read.get(id);
    return terms ? [{ id, terms }] : [];
  });
}

export function* findPassages(ids: readonly number[]): Work<Map<number, Passage>> {
  if (ids.length === 0) return new Map();
  const rows = yield* all<PassageRow>(sql`
    SELECT knowledge_passages.key AS key, id, title, url, heading_path, anchor, body
    FROM ${among(ids)} AS wanted CROSS JOIN ${PASSAGE} CROSS JOIN ${DOCUMENT} WHERE ${IS_LIVE}`);
  return new Map(rows.map((row) => [row.key, passageFromRow(row)]));
}

/** @param passage the passage, if its stored terms are of another version; undefined if it has been deleted. */
function termsOf(
  { terms, terms_version: version }: TermsRow,
  passage: Passage | undefined,
): PackedTerms | undefined {
  if (version !== TERMS_VERSION) return passage && termsOfPassage(titleOf(passage), passage.body);
  // Copies, because the next `unpack` reuses the buffers.
  const { hashes, counts } = unpacker.unpack(terms);
  return { hashes: hashes.slice(), counts };
}

function passageFromRow({ key, id, title, url, heading_path: path, anchor, body }: PassageRow): Passage {
  return {
    documentId: id,
    title,
    headingPath: HEADING_PATHS.parse(path, `passage ${key}`),
    ...(url !== null && { url }),
    ...(anchor !== null && { anchor }),
    body,
  };
}
