import type { NewDelivery } from "../../domain/delivery.ts";
import { feedbackFromRow } from "../feedback-rows.ts";
import type { Ratings, StoredFeedback } from "../interface/handoffs.ts";
import { addDeliveriesOnce } from "./outbox.ts";
import type { Pool } from "./pool.ts";

const FIND = "SELECT conversation_id FROM turns WHERE request_id = $1 FOR KEY SHARE";

const SAVE = `
INSERT INTO ratings (request_id, rating, reason, at) VALUES ($1, $2, $3, $4)
ON CONFLICT (request_id) DO UPDATE SET rating = excluded.rating, reason = excluded.reason, at = excluded.at
WHERE ratings.rating <> excluded.rating OR ratings.reason IS DISTINCT FROM excluded.reason
RETURNING request_id`;

const LIST = `
SELECT ratings.request_id, rating, reason, ratings.at::float8 AS at FROM ratings JOIN turns USING (request_id)
WHERE conversation_id = $1 ORDER BY turns.number`;

/** What visitors think of answers. */
export class PostgresFeedback implements Ratings {
  readonly #pool: Pool;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  save(
    { requestId, rating, reason, at }: StoredFeedback,
    deliveries: readonly NewDelivery[] = [],
  ): Promise<boolean> {
    return this.#pool.transaction(async (queries) => {
      const [turn] = await queries.query<{ conversation_id: string }>(FIND, [requestId]);
      if (!turn) return false;
      const news = await queries.query(SAVE, [requestId, rating, reason ?? null, at]);
      const { conversation_id: conversationId } = turn;
      if (news.length > 0) {
        await addDeliveriesOnce(queries, deliveries, { conversationId, subject: requestId, at });
      }
      return true;
    });
  }

  async listOf(conversationId: string): Promise<StoredFeedback[]> {
    const rows = await this.#pool.query<Parameters<typeof feedbackFromRow>[0]>(LIST, [conversationId]);
    return rows.map(feedbackFromRow);
  }
}
