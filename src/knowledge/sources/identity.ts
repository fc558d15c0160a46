import { createHash } from "node:crypto";

/** Increment it when parsers or the splitter change their output, so that all documents are read again. */
const READER_VERSION = 2;

/** The id of a document, independent of the source that names it. */
export function documentId(place: string): string {
  return createHash("sha256").update(place).digest("base64url").slice(0, 22);
}

/** Changes whenever reading the document again may have another result. @param url the source's pattern for its URL */
export function contentHash(bytes: Uint8Array, url = ""): string {
  const digest = createHash("sha256").update(`${url}\n`).update(bytes).digest("base64url");
  return `${READER_VERSION}.${digest}`;
}

/** Whether this version of Parley made a hash: otherwise the document has to be read again, changed or not. */
export function isCurrentHash(hash: string): boolean {
  return hash.startsWith(`${READER_VERSION}.`);
}
