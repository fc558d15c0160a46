import { Type } from "@sinclair/typebox";

import {
  type PackedTerms,
  TERMS_VERSION,
  TermsUnpacker,
  termsOfPassage,
} from "../../knowledge/packed-terms.ts";
import { type Passage, titleOf } from "../../knowledge/passage.ts";
import type { IndexedPassage } from "../../knowledge/search-index.ts";
import { JsonColumn } from "../json-column.ts";

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
