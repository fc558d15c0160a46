/** Limits on reading one document. */
export interface DocumentLimits {
  bytes: number;
  /** Total decompressed bytes of a DOCX's parts. */
  unpackedBytes: number;
  /** Characters of extracted text. */
  characters: number;
  /** Pages of a PDF. */
  pages: number;
  /** Nesting depth of HTML elements. */
  depth: number;
  milliseconds: number;
  /** Maximum growth of the process's memory. */
  memoryBytes: number;
}

const MB = 1_000_000;

/** About ten times the size of manuals and help centres: ten million characters are twice the Bible, 3,000 pages six thick manuals. */
export const DOCUMENT_LIMITS: DocumentLimits = {
  bytes: 50 * MB,
  unpackedBytes: 200 * MB,
  characters: 10 * MB,
  pages: 3000,
  depth: 2000,
  milliseconds: 60_000,
  memoryBytes: 1000 * MB,
};
