import type { StoredEmbedToken } from "./interface/embed-tokens.ts";
import type { Store } from "./interface/store.ts";

/** Known embed tokens by hash, so that a message need not read them from disk. Holds no more than the store does. */
export class EmbedTokenCache {
  readonly #store: Pick<Store, "findEmbedToken">;
  #known = new Map<string, StoredEmbedToken>();

  constructor(store: Pick<Store, "findEmbedToken">) {
    this.#store = store;
  }

  async find(hash: Uint8Array): Promise<StoredEmbedToken | undefined> {
    const key = Buffer.from(hash).toString("latin1");
    const known = this.#known;
    const found = known.get(key);
    if (found !== undefined) return found;
    const stored = await this.#store.findEmbedToken(hash);
    // Into the map of the time when it was asked for: what was read before a change is not known after it.
    if (stored) known.set(key, stored);
    return stored;
  }

  /** To be called when tokens may have changed. */
  clear(): void {
    this.#known = new Map();
  }
}
