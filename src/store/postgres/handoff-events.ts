import type { HandoffEvent } from "../../domain/handoff.ts";
import { eventFromRow, type HandoffEventRow } from "../handoff-rows.ts";
import type { WatchedEvents } from "../interface/handoffs.ts";
import { List, type Queries } from "./connection.ts";
import { storableText } from "./storable.ts";

const ADD = `
INSERT INTO handoff_events (conversation_id, number, at, kind, name, text, key_hash)
SELECT $1, 1 + coalesce((SELECT max(number) FROM handoff_events WHERE conversation_id = $1), 0), $2, $3, $4, $5, $6
RETURNING number::float8 AS number, at::float8 AS at, kind, name, text`;

const FIND_BY_KEY = `
SELECT number::float8 AS number, at::float8 AS at, kind, name, text FROM handoff_events
WHERE conversation_id = $1 AND key_hash = $2`;

const LIST = `
SELECT watched.position::int4 AS position, event.*
FROM unnest($1::text[], $2::bigint[]) WITH ORDINALITY AS watched (id, after, position)
CROSS JOIN LATERAL (
  SELECT number::float8 AS number, at::float8 AS at, kind, name, text FROM handoff_events
  WHERE conversation_id = watched.id AND number > watched.after ORDER BY handoff_events.number LIMIT $3::bigint
) AS event
ORDER BY watched.position, event.number`;

/** To be called with the row of the hand-off held, so that events are told in the order of their numbers. */
export async function addEvent(
  queries: Queries,
  conversationId: string,
  { at, kind, name, text }: Omit<HandoffEvent, "number">,
  keyHash?: Uint8Array,
): Promise<HandoffEvent> {
  const values = [conversationId, at, kind, name ?? null, storableText(text), keyHash ?? null];
  const [row] = await queries.query<HandoffEventRow>(ADD, values);
  return eventFromRow(row!);
}

export async function findEventByKey(
  queries: Queries,
  conversationId: string,
  keyHash: Uint8Array,
): Promise<HandoffEvent | undefined> {
  const [row] = await queries.query<HandoffEventRow>(FIND_BY_KEY, [conversationId, keyHash]);
  return row && eventFromRow(row);
}

/** What is new, by conversation; at most `limit` of each, or all. */
export async function listEvents(
  queries: Queries,
  watched: readonly WatchedEvents[],
  limit: number | null,
): Promise<Map<string, HandoffEvent[]>> {
  const ids = new List(watched.map(({ conversationId }) => conversationId));
  const after = new List(watched.map((one) => one.after));
  const rows = await queries.query<HandoffEventRow & { position: number }>(LIST, [ids, after, limit]);
  const byId = new Map<string, HandoffEvent[]>(watched.map(({ conversationId }) => [conversationId, []]));
  for (const row of rows) byId.get(watched[row.position - 1]!.conversationId)!.push(eventFromRow(row));
  return byId;
}
