import { feedbackFromRow } from "../feedback.ts";
import type { FeedbackStore, StoredFeedback } from "../interface/handoffs.ts";
import type { Pool } from "./pool.ts";

const SAVE = `
INSERT INTO ratings (request_id, rating, reason, at) SELECT request_id, $2, $3, $4 FROM turns WHERE request_id = $1
ON CONFLICT (request_id) DO UPDATE SET rating = excluded.rating, reason = excluded.reason, at = excluded.at
RETURNING request_id`;

const LIST = `
SELECT ratings.request_id, rating, reason, ratings.at::float8 AS at FROM ratings JOIN turns USING (request_id)
WHERE conversation_id = $1 ORDER BY turns.number`;

/** What visitors think of answers. */
export class PostgresFeedback implements FeedbackStore {
  readonly #pool: Pool;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  async save({ requestId, rating, reason, at }: StoredFeedback): Promise<boolean> {
    return (await this.#pool.query(SAVE, [requestId, rating, reason ?? null, at])).length > 0;
  }

  async listOf(conversationId: string): Promise<StoredFeedback[]> {
    const rows = await this.#pool.query<Parameters<typeof feedbackFromRow>[0]>(LIST, [conversationId]);
    return rows.map(feedbackFromRow);
  }
}
