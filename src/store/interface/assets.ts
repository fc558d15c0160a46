/** A file for browsers, with a hash in its name. */
export interface KeptFile {
  /** Path at its listener, without a slash before it: `cdn/panel-en-2e52bbb9.js`, `assets/part-wkj5f1c0.js`. */
  path: string;
  /** Subresource Integrity of the file before compression: SHA-384. */
  integrity: string;
}

/** The same with its content. */
export interface BuildFile extends KeptFile {
  /** Packed by Brotli (RFC 7932). */
  brotli: Uint8Array;
}

/** Number of the latest builds that are kept, even if no server runs them. */
export const BUILDS_KEPT = 3;
