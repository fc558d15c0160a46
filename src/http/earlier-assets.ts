import { brotliDecompressSync, gzipSync } from "node:zlib";

import type { Logger } from "pino";

import { BoundedCache, type Sized } from "../bots/bounded-cache.ts";
import type { Now } from "../domain/time.ts";
import type { KeptFile } from "../store/interface/assets.ts";
import type { Assets } from "../store/interface/store.ts";
import type { WidgetAsset } from "../widget/build.ts";
import { integrityOf } from "../widget/integrity.ts";

/** A stored file of another build. */
export interface EarlierAsset {
  asset: WidgetAsset;
  /** False: the requested file is gone, and this is its counterpart in a later build. */
  isExact: boolean;
}

interface EarlierAssetsParts {
  store: Pick<Assets, "listFiles" | "findContent">;
  log: Pick<Logger, "error">;
  /** A monotonic clock. */
  steadyNow: Now;
}

/** Hashed names: the widget's by SHA-256, the console's by the bundler. */
const HASHED = /^(?:cdn|assets)\/[\w-]+-[0-9a-z]{8}\.(js|css)$/;

/** Only the widget's: a part of a later console would load a second console. */
const OF_WIDGET = /^cdn\/(.+)-[0-9a-f]{8}\.js$/;

const CONTENT_TYPES = { js: "text/javascript; charset=utf-8", css: "text/css; charset=utf-8" } as const;

/** Minimum interval between reads of the store, against requests for unknown names. */
const READ_EVERY_MS = 250;

/** Memory cache in bytes; more than a build has. */
const MAX_BYTES = 4 * 1024 * 1024;

/** Largest unpacked file, twenty times the largest real one. */
const MAX_FILE_BYTES = 8 * 1024 * 1024;

type Bodies = Pick<WidgetAsset, "identity" | "brotli" | "gzip">;

/** Files requested by pages of earlier builds, or of builds of other servers with the same store. */
export class EarlierAssets {
  readonly #parts: EarlierAssetsParts;
  readonly #opened: BoundedCache<string, Bodies>;
  /** The list as last read, earliest build first. */
  #kept: readonly KeptFile[] = [];
  #reading: Promise<readonly KeptFile[]> | undefined;
  #readAt = -Infinity;

  constructor(parts: EarlierAssetsParts) {
    this.#parts = parts;
    this.#opened = new BoundedCache({
      mostBytes: MAX_BYTES,
      open: (integrity) => this.#read(integrity),
    });
  }

  /**
   * The file of that name from any build. If it is gone, the file with the same purpose and language from the earliest stored build, which
   * is the closest later one.
   *
   * @throws ServiceError STORAGE_UNAVAILABLE
   */
  async find(path: string): Promise<EarlierAsset | undefined> {
    if (!HASHED.test(path)) return undefined;
    const known = await this.#openExact(this.#kept, path);
    if (known) return { asset: known, isExact: true };
    const kept = await this.#readAgain();
    const asset = await this.#openExact(kept, path);
    if (asset) return { asset, isExact: true };
    const substitute = await this.#openSubstitute(kept, path);
    return substitute && { asset: substitute, isExact: false };
  }

  async #openExact(kept: readonly KeptFile[], path: string): Promise<WidgetAsset | undefined> {
    const file = kept.findLast((each) => each.path === path);
    return file && this.#open(file);
  }

  async #openSubstitute(kept: readonly KeptFile[], path: string): Promise<WidgetAsset | undefined> {
    const purpose = purposeOf(path);
    if (purpose === undefined) return undefined;
    for (const file of kept) {
      const asset = purposeOf(file.path) === purpose ? await this.#open(file) : undefined;
      if (asset) return asset;
    }
    return undefined;
  }

  async #open({ path, integrity }: KeptFile): Promise<WidgetAsset | undefined> {
    const [, extension] = HASHED.exec(path) ?? [];
    if (extension === undefined) return undefined;
    const bodies = await this.#opened.find(integrity);
    const contentType = CONTENT_TYPES[extension as keyof typeof CONTENT_TYPES];
    return bodies && { path, contentType, immutable: true, integrity, ...bodies };
  }

  /** Undefined if no build has it any more, or it is damaged. */
  async #read(integrity: string): Promise<Sized<Bodies> | undefined> {
    const { store, log } = this.#parts;
    const brotli = await store.findContent(integrity);
    if (brotli === undefined) return undefined;
    const identity = unpack(brotli);
    if (identity === undefined || integrityOf(identity) !== integrity) {
      log.error({ integrity }, "a stored file of the widget or the console is damaged, and is not served");
      return undefined;
    }
    const gzip = new Uint8Array(gzipSync(identity));
    return {
      value: { identity, brotli, gzip },
      bytes: identity.length + brotli.length + gzip.length,
    };
  }

  /** Reads the list again, because a server may have stored its build since. */
  #readAgain(): Promise<readonly KeptFile[]> {
    this.#reading ??= this.#readSoon();
    return this.#reading;
  }

  async #readSoon(): Promise<readonly KeptFile[]> {
    const { store, steadyNow } = this.#parts;
    await Bun.sleep(Math.max(0, this.#readAt + READ_EVERY_MS - steadyNow()));
    this.#reading = undefined;
    this.#readAt = steadyNow();
    this.#kept = await store.listFiles();
    return this.#kept;
  }
}

/** Purpose and language of a file of the widget, the same in every build. */
function purposeOf(path: string): string | undefined {
  return OF_WIDGET.exec(path)?.[1];
}

function unpack(brotli: Uint8Array): Uint8Array | undefined {
  try {
    return new Uint8Array(brotliDecompressSync(brotli, { maxOutputLength: MAX_FILE_BYTES }));
  } catch {
    // A file that Brotli cannot decode is damaged.
    return undefined;
  }
}
