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
