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

/** Files of recent builds, for pages that stay open while servers are upgraded. */
export interface Assets {
  /**
   * Stores the files of the build that this server runs, which becomes the latest one. Builds older than the latest {@link BUILDS_KEPT}
   * are deleted, unless a server runs them.
   *
   * @param id a hash of the files.
   */
  saveBuild(id: string, files: readonly BuildFile[]): Promise<void>;

  /** Files of all kept builds, the earliest build's first. */
  listFiles(): Promise<KeptFile[]>;

  /** A file's content, compressed by Brotli; undefined if no kept build has it. */
  findContent(integrity: string): Promise<Uint8Array | undefined>;
}
