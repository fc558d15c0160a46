import type { Database, Statement } from "better-sqlite3";

import type { EpochMs } from "../../domain/time.ts";
import { type IdempotencyKey, IDEMPOTENCY_WINDOW_MS } from "../idempotency.ts";
import type { TurnKey } from "../interface/conversations.ts";
import type { EmbedTokenKey } from "../interface/embed-tokens.ts";

export interface IdempotencyRecord {
  bodyHash: Uint8Array;
  turn: TurnKey;
  /** 1 while the turn's answer is awaited. */
  isRunning: 0 | 1;
}

/**
 * Which turn answers an idempotency key. While the turn is in flight, its key does not expire. Writes are part of the caller's transaction.
 */
export class IdempotencyRecords {
  readonly #find: Statement<[EmbedTokenKey, Uint8Array, number], IdempotencyRecord>;
  readonly #save: Statement<[EmbedTokenKey, Uint8Array, Uint8Array, TurnKey, number]>;
  readonly #forget: Statement<[TurnKey]>;

  constructor(db: Database) {
    this.#find = db.prepare(`
      SELECT body_hash AS bodyHash, turn_key AS turn,
        EXISTS (SELECT 1 FROM turns_in_flight WHERE turns_in_flight.turn_key = records.turn_key) AS isRunning
      FROM idempotency_records AS records
      WHERE embed_token_key = ? AND key_hash = ? AND (at > ? OR isRunning)`);
    this.#save = db.prepare(`
      INSERT OR REPLACE INTO idempotency_records (embed_token_key, key_hash, body_hash, turn_key, at)
      VALUES (?, ?, ?, ?, ?)`);
    this.#forget = db.prepare("DELETE FROM idempotency_records WHERE turn_key = ?");
  }

  find({ embedToken, keyHash }: IdempotencyKey, now: EpochMs): IdempotencyRecord | undefined {
    return this.#find.get(embedToken, keyHash, now - IDEMPOTENCY_WINDOW_MS);
  }

  /** Replaces an expired record of the same key. */
  save({ embedToken, keyHash, bodyHash }: IdempotencyKey, turn: TurnKey, at: EpochMs): void {
    this.#save.run(embedToken, keyHash, bodyHash, turn, at);
  }

  /** Frees the turn's key, so that a retry may answer it. */
  forget(turn: TurnKey): void {
    this.#forget.run(turn);
  }
}
