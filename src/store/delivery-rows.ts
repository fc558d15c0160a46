import type { DueDelivery, FailedNotices, ListedDelivery } from "../domain/delivery.ts";

/** A delivery as both engines give it. */
export interface DeliveryTableRow extends Pick<
  ListedDelivery,
  "id" | "channel" | "target" | "event" | "subject" | "state"
> {
  bot_id: DueDelivery["botId"];
  conversation_id: NonNullable<DueDelivery["conversationId"]> | null;
  attempts: number;
  created_at: number;
  next_at: number | null;
  ended_at: number | null;
  error: string | null;
}

export function deliveryFromRow(row: DeliveryTableRow): ListedDelivery {
  const { id, channel, target, event, subject, state, attempts } = row;
  return {
    id,
    channel,
    target,
    event,
    subject,
    state,
    attempts,
    botId: row.bot_id,
    createdAt: row.created_at,
    ...(row.conversation_id !== null && { conversationId: row.conversation_id }),
    ...(row.next_at !== null && { nextAt: row.next_at }),
    ...(row.ended_at !== null && { endedAt: row.ended_at }),
    ...(row.error !== null && { error: row.error }),
  };
}

/** Events of turns, as the indexes of them say it. */
export const OF_TURNS = "event IN ('turn.refused', 'turn.unmatched')";

export const COUNT_WAITING_TURNS = `
  SELECT target, count(*) AS waiting FROM deliveries WHERE ${OF_TURNS} AND next_at IS NOT NULL GROUP BY target`;

/** One that was held back was not tried; one that is being tried again has no error, and failed before. */
export const LIST_FAILED_NOTICES = `
  SELECT channel, target, state, count(*) AS notices, min(created_at) AS since, max(error) AS error FROM (
    SELECT channel, target, deliveries.state, deliveries.created_at, error FROM deliveries JOIN bots ON bots.key = bot_key
    WHERE event = 'handoff.requested' AND next_at IS NOT NULL AND (attempts > 1 OR (attempts = 1 AND error IS NOT NULL))
    UNION ALL
    SELECT channel, target, deliveries.state, deliveries.created_at, error
    FROM deliveries JOIN bots ON bots.key = bot_key JOIN handoffs ON handoffs.id = subject
    WHERE event = 'handoff.requested' AND deliveries.state = 'given-up' AND handoffs.state <> 'closed'
  ) AS failed GROUP BY channel, target, state ORDER BY since`;

/** A row of {@link LIST_FAILED_NOTICES}. */
export type FailedNoticesRow = Omit<FailedNotices, "error"> & { error: string | null };

export function failedNoticesFromRow({ error, ...notices }: FailedNoticesRow): FailedNotices {
  return error === null ? notices : { ...notices, error };
}

/** One whose first try is under way does not count: it may have read already what it tells of. */
export const IS_NOT_ON_ITS_WAY = "state = 'waiting' AND (attempts = 0 OR error IS NOT NULL)";

/** A row of {@link COUNT_WAITING_TURNS}. */
export interface WaitingRow {
  target: string;
  waiting: number;
}

export function waitingByTarget(rows: readonly WaitingRow[]): Map<string, number> {
  return new Map(rows.map(({ target, waiting }) => [target, waiting]));
}
