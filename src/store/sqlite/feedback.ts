import type { Database, Statement } from "better-sqlite3";

import type { NewDelivery } from "../../domain/delivery.ts";
import type { StoredFeedback } from "../interface/handoffs.ts";
import type { OutboxTable } from "./outbox.ts";

interface RatingRow {
  request_id: StoredFeedback["requestId"];
  rating: StoredFeedback["rating"];
  reason: string | null;
  at: number;
}

/** What visitors think of answers. Writes are parts of the caller's transaction. */
export class RatingStore {
  readonly #save: Statement<[string, string | null, number, string]>;
  readonly #listOf: Statement<[string], RatingRow>;
  readonly #conversationOf: Statement<[string], string>;
  readonly #outbox: OutboxTable;

  constructor(db: Database, outbox: OutboxTable) {
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

/** A rating as both engines give it. */
export function feedbackFromRow({ request_id: requestId, rating, reason, at }: RatingRow): StoredFeedback {
  return { requestId, rating, at, ...(reason !== null && { reason }) };
}
