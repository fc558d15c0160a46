import type { BotId, EmbedTokenId } from "../../domain/ids.ts";
import type { EpochMs } from "../../domain/time.ts";

/** Integer key of an embed token inside one database. */
export type EmbedTokenKey = number & { readonly brand: "EmbedTokenKey" };

export interface StoredEmbedToken {
  key: EmbedTokenKey;
  id: EmbedTokenId;
  botIds: readonly BotId[];
  label?: string;
  createdAt: EpochMs;
  expiresAt?: EpochMs;
  revokedAt?: EpochMs;
}

export interface NewEmbedTokenRecord {
  id: EmbedTokenId;
  /** SHA-256 of the token; the token itself is never stored. */
  hash: Uint8Array;
  botIds: readonly BotId[];
  label?: string;
  expiresAt?: EpochMs;
}

/** Embed tokens, by hash. */
export interface EmbedTokens {
  /** Oldest first, revoked and expired ones included. */
  list(): Promise<StoredEmbedToken[]>;
  findByHash(hash: Uint8Array): Promise<StoredEmbedToken | undefined>;
  /** The bots must exist. */
  create(token: NewEmbedTokenRecord): Promise<void>;
  /** @returns false when no token has this id; revoking twice keeps the first instant. */
  revoke(id: string): Promise<boolean>;
}
