import type { Database } from "better-sqlite3";

import type { EpochMs } from "../domain/time.ts";
import type { TurnKey } from "./conversations.ts";
import type { EmbedTokenKey } from "./embed-tokens.ts";

/** One caller's `Idempotency-Key` and the request it stood for, as SHA-256 hashes. */
export interface IdempotencyKey {
  embedToken: EmbedTokenKey;
  keyHash: Uint8Array;
  bodyHash: Uint8Array;
}

export interface IdempotencyRecord {
  bodyHash: Uint8Array;
  turn: TurnKey;
}

/** How long a key is remembered (decisions §9). */
export const IDEMPOTENCY_WINDOW_MS = 24 * 60 * 60 * 1000;

/** Which turn answered an idempotency key. Writes are parts of the caller's transaction. */
export class IdempotencyStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  find({ embedToken, keyHash }: IdempotencyKey, now: EpochMs): IdempotencyRecord | undefined {
    return this.#db
      .prepare<[EmbedTokenKey, Uint8Array, number], IdempotencyRecord>(`
        SELECT body_hash AS bodyHash, turn_key AS turn FROM idempotency_records
        WHERE embed_token_key = ? AND key_hash = ? AND at > ?`)
      .get(embedToken, keyHash, now - IDEMPOTENCY_WINDOW_MS);
  }

  /** Replaces a record of the same key that has expired. */
  save({ embedToken, keyHash, bodyHash }: IdempotencyKey, turn: TurnKey, at: EpochMs): void {
    this.#db
      .prepare(`
        INSERT OR REPLACE INTO idempotency_records (embed_token_key, key_hash, body_hash, turn_key, at)
        VALUES (?, ?, ?, ?, ?)`)
      .run(embedToken, keyHash, bodyHash, turn, at);
  }

  /** Deletes up to `limit` expired records. @returns how many. */
  deleteExpired(now: EpochMs, limit: number): number {
    return this.#db
      .prepare(`
        DELETE FROM idempotency_records WHERE (embed_token_key, key_hash) IN (
          SELECT embed_token_key, key_hash FROM idempotency_records WHERE at <= ? LIMIT ?)`)
      .run(now - IDEMPOTENCY_WINDOW_MS, limit).changes;
  }
}
