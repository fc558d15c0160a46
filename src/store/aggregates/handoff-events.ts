import type { HandoffEvent } from "../../domain/handoff.ts";
import type { WatchedEvents } from "../interface/handoffs.ts";
import { byEngine, json, sql } from "../sql/sql.ts";
import { allGiven, firstGiven, type Work } from "../sql/work.ts";
import { CONVERSATION, CONVERSATION_KEY } from "./references.ts";

/** A JSON list as rows with `value`. The parameter is cast to text first: for a `json` parameter, the driver would encode the text again. */
const EACH_OF = {
  before: byEngine({ sqlite: "json_each(", postgres: "json_array_elements(" }),
  after: byEngine({ sqlite: ") AS watched", postgres: "::text::json) AS watched (value)" }),
};

const EVENTS = sql`handoff_events JOIN conversations ON ${CONVERSATION_KEY} = handoff_events.${CONVERSATION}`;

/**
 * Adds an event of a live hand-off. Requires the hand-off's row to be locked, so that events are sent in the order of their numbers.
 *
 * @returns the event with its number; undefined if the conversation is gone.
 */
export function* addEvent(
  conversationId: string,
  { at, kind, name, text }: Omit<HandoffEvent, "number">,
  keyHash?: Uint8Array,
): Work<HandoffEvent | undefined> {
  return yield* firstGiven<HandoffEvent>(sql`
    INSERT INTO handoff_events (${CONVERSATION}, number, at, kind, name, text, key_hash)
    SELECT ${CONVERSATION_KEY},
      1 + coalesce((SELECT max(number) FROM handoff_events WHERE handoff_events.${CONVERSATION} = ${CONVERSATION_KEY}), 0),
      ${at}, ${kind}, ${name}, ${text}, ${keyHash}
    FROM conversations WHERE id = ${conversationId} RETURNING number, at, kind, name, text`);
}

export function* findEventByKey(conversationId: string, keyHash: Uint8Array): Work<HandoffEvent | undefined> {
  return yield* firstGiven<HandoffEvent>(sql`
    SELECT number, at, kind, name, text FROM ${EVENTS} WHERE conversations.id = ${conversationId} AND key_hash = ${keyHash}`);
}

/** New events, by conversation, in order; at most `limit` of each. */
export function* listEvents(
  watched: readonly WatchedEvents[],
  limit: number,
): Work<Map<string, HandoffEvent[]>> {
  const asked = watched.map(({ conversationId, after }) => ({ id: conversationId, after }));
  const rows = yield* allGiven<HandoffEvent & { conversation: string }>(sql`
    SELECT conversation, number, at, kind, name, text FROM (
      SELECT conversations.id AS conversation, number, at, kind, name, text,
        row_number() OVER (PARTITION BY conversations.id ORDER BY number) AS place
      FROM ${EACH_OF.before}${json(asked)}${EACH_OF.after}
        JOIN conversations ON conversations.id = watched.value ->> 'id'
        JOIN handoff_events ON handoff_events.${CONVERSATION} = ${CONVERSATION_KEY}
      WHERE number > CAST(watched.value ->> 'after' AS bigint)
    ) AS found WHERE place <= ${limit} ORDER BY conversation, number`);
  const byId = new Map<string, HandoffEvent[]>(watched.map(({ conversationId }) => [conversationId, []]));
  for (const { conversation, ...event } of rows) byId.get(conversation)!.push(event);
  return byId;
}
