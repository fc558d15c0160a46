import { createHash } from "node:crypto";

/** Counts up when parsers or splitter change what comes out of a document, so that each is read anew. */
const READER_VERSION = 2;

/** The same for a document whichever source names it, and wherever it stands among others. */
export function documentId(place: string): string {
  return createHash("sha256").update(place).digest("base64url").slice(0, 22);
}

/** Changes whenever reading the document again could bring something else. @param url what the source says of its address */
export function contentHash(bytes: Uint8Array, url = ""): string {
  const digest = createHash("sha256").update(`${url}\n`).update(bytes).digest("base64url");
  return `${READER_VERSION}.${digest}`;
}

/** Whether this version of Parley made a hash: otherwise the document has to be read again, changed or not. */
export function isCurrentHash(hash: string): boolean {
  return hash.startsWith(`${READER_VERSION}.`);
}
