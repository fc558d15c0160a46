/** A file that browsers load from a server, whose name holds a hash. */
export interface KeptFile {
  /** Path at its listener, without a slash before it: `cdn/panel-en-2e52bbb9.js`, `assets/part-wkj5f1c0.js`. */
  path: string;
  /** Names the content as Subresource Integrity does: SHA-384 of the file as it is before it is packed. */
  integrity: string;
}

/** The same with its content. */
export interface BuildFile extends KeptFile {
  /** Packed by Brotli (RFC 7932). */
  brotli: Uint8Array;
}

/** Builds that are kept beside those that servers run: the latest one, and the two before it. */
export const BUILDS_KEPT = 3;

/** Files of the builds that servers of this store have run lately, for pages that are open while servers are upgraded. */
export interface Assets {
  /**
   * Stores the files of the build that this server runs, which becomes the latest one. Builds before the {@link BUILDS_KEPT} latest ones
   * go, unless a server runs them.
   *
   * @param id the same for the same files.
   */
  saveBuild(id: string, files: readonly BuildFile[]): Promise<void>;

  /** Files of all builds that are kept, the earliest build's first. */
  listFiles(): Promise<KeptFile[]>;

  /** What a file holds, packed by Brotli; undefined where no build has it any more. */
  findContent(integrity: string): Promise<Uint8Array | undefined>;
}
