import type { StoredEmbedToken } from "./embed-tokens.ts";
import type { Store } from "./store.ts";

/** Known embed tokens by hash, so that a message need not read them from disk. Holds no more than the store does. */
export class EmbedTokenCache {
  readonly #store: Pick<Store, "findEmbedToken">;
  readonly #known = new Map<string, StoredEmbedToken>();

  constructor(store: Pick<Store, "findEmbedToken">) {
    this.#store = store;
  }

  async find(hash: Uint8Array): Promise<StoredEmbedToken | undefined> {
    const key = Buffer.from(hash).toString("latin1");
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const stored = this.#store.findEmbedToken(hash);
    if (stored) this.#known.set(key, stored);
    return stored;
  }

  /** To be called when tokens may have changed. */
  clear(): void {
    this.#known.clear();
  }
}
