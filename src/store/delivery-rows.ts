import type { DueDelivery, ListedDelivery } from "../domain/delivery.ts";

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
