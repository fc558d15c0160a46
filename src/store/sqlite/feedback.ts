import type { Database, Statement } from "better-sqlite3";

import type { NewDelivery } from "../../domain/delivery.ts";
import { type RatingRow, feedbackFromRow } from "../feedback-rows.ts";
import type { StoredFeedback } from "../interface/handoffs.ts";
import type { SqliteOutbox } from "./outbox.ts";

/** What visitors think of answers. Writes are parts of the caller's transaction. */
export class SqliteRatings {
  readonly #save: Statement<[string, string | null, number, string]>;
  readonly #listOf: Statement<[string], RatingRow>;
  readonly #conversationOf: Statement<[string], string>;
  readonly #outbox: SqliteOutbox;

  constructor(db: Database, outbox: SqliteOutbox) {
    this.#outbox = outbox;
    this.#conversationOf = db
      .prepare<[string], string>(
        "SELECT conversations.id FROM turns JOIN conversations ON conversations.key = conversation_key WHERE request_id = ?",
      )
      .pluck();
    this.#save = db.prepare(`
      INSERT INTO ratings (turn_key, rating, reason, at) SELECT key, ?, ?, ? FROM turns WHERE request_id = ?
      ON CONFLICT (turn_key) DO UPDATE SET rating = excluded.rating, reason = excluded.reason, at = excluded.at
      WHERE ratings.rating <> excluded.rating OR ratings.reason IS NOT excluded.reason`);
    this.#listOf = db.prepare(`
      SELECT turns.request_id, rating, reason, ratings.at
      FROM conversations JOIN turns ON conversation_key = conversations.key JOIN ratings ON turn_key = turns.key
      WHERE conversations.id = ? ORDER BY turns.key`);
  }

  /** @returns false when there is no such turn. */
  save({ requestId, rating, reason, at }: StoredFeedback, deliveries: readonly NewDelivery[] = []): boolean {
    const conversationId = this.#conversationOf.get(requestId);
    if (conversationId === undefined) return false;
    const isNews = this.#save.run(rating, reason ?? null, at, requestId).changes > 0;
    if (isNews) this.#outbox.addOnce(deliveries, { conversationId, subject: requestId, at });
    return true;
  }

  listOf(conversationId: string): StoredFeedback[] {
    return this.#listOf.all(conversationId).map(feedbackFromRow);
  }
}
