import type { NewDelivery } from "../../domain/delivery.ts";
import type { StoredFeedback } from "../interface/handoffs.ts";
import { byEngine, sql } from "../sql/sql.ts";
import { allGiven, first, run, type Work } from "../sql/work.ts";
import { addDeliveriesOnce } from "./outbox.ts";
import { StorePart } from "./part.ts";
import { CONVERSATION, CONVERSATION_KEY, TURN, TURN_KEY, TURN_PLACE } from "./references.ts";

/** Locks the turn against deletion until the end of the transaction. */
const KEEPING_TURN = byEngine({ sqlite: "", postgres: "FOR KEY SHARE OF turns" });

/** Visitors' ratings of answers. */
export class SqlRatings extends StorePart {
  /**
   * Stores a rating, which replaces an earlier one of the same answer.
   *
   * @param deliveries added if the rating differs from the earlier one.
   * @returns false when there is no such turn.
   */
  save(feedback: StoredFeedback, deliveries: readonly NewDelivery[] = []): Promise<boolean> {
    return this.engine.write(() => save(feedback, deliveries));
  }

  /** Ratings of a conversation's turns, oldest first. */
  listOf(conversationId: string): Promise<StoredFeedback[]> {
    const statement = sql`
      SELECT turns.request_id AS "requestId", rating, reason, ratings.at
      FROM conversations JOIN turns ON turns.${CONVERSATION} = ${CONVERSATION_KEY} JOIN ratings ON ratings.${TURN} = ${TURN_KEY}
      WHERE conversations.id = ${conversationId} ORDER BY ${TURN_PLACE}`;
    return this.engine.read(() => allGiven<StoredFeedback>(statement));
  }
}

function* save(
  { requestId, rating, reason, at }: StoredFeedback,
  deliveries: readonly NewDelivery[],
): Work<boolean> {
  const turn = yield* first<{ id: string }>(sql`
    SELECT conversations.id FROM turns JOIN conversations ON ${CONVERSATION_KEY} = turns.${CONVERSATION}
    WHERE turns.request_id = ${requestId} ${KEEPING_TURN}`);
  if (!turn) return false;
  const changed = yield* run(sql`
    INSERT INTO ratings (${TURN}, rating, reason, at)
    SELECT ${TURN_KEY}, ${rating}, ${reason}, ${at} FROM turns WHERE request_id = ${requestId}
    ON CONFLICT (${TURN}) DO UPDATE SET rating = excluded.rating, reason = excluded.reason, at = excluded.at
    WHERE ratings.rating <> excluded.rating OR ratings.reason IS DISTINCT FROM excluded.reason`);
  if (changed > 0) yield* addDeliveriesOnce(deliveries, { conversationId: turn.id, subject: requestId, at });
  return true;
}
