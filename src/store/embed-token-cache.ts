import type { EmbedTokenId } from "../domain/ids.ts";
import type { EpochMs, Now } from "../domain/time.ts";
import type { StoredEmbedToken } from "./interface/embed-tokens.ts";
import type { Store } from "./interface/store.ts";

/** Known embed tokens by hash, so that a message need not read them from the store. Unknown tokens are not kept, so it never exceeds the store. */
export class EmbedTokenCache {
  readonly #store: Pick<Store, "findEmbedToken">;
  readonly #now: Now;
  #known = new Map<string, StoredEmbedToken>();
  readonly #lastUsed = new Map<EmbedTokenId, EpochMs>();

  constructor(store: Pick<Store, "findEmbedToken">, now: Now = Date.now) {
    this.#store = store;
    this.#now = now;
  }

  /** When a token was last used; undefined if it was not used since the start of this server. */
  lastUsedAt(id: EmbedTokenId): EpochMs | undefined {
    return this.#lastUsed.get(id);
  }

  async find(hash: Uint8Array): Promise<StoredEmbedToken | undefined> {
    const key = Buffer.from(hash).toString("latin1");
    const known = this.#known;
    const found = known.get(key);
    if (found !== undefined) return this.#used(found);
    const stored = await this.#store.findEmbedToken(hash);
    // Into the map from before the read: a change meanwhile replaces the map, and a stale token must not get into the new one.
    if (stored) known.set(key, stored);
    return stored && this.#used(stored);
  }

  #used(token: StoredEmbedToken): StoredEmbedToken {
    this.#lastUsed.set(token.id, this.#now());
    return token;
  }

  /** To be called when embed tokens may have changed. */
  clear(): void {
    this.#known = new Map();
  }
}
