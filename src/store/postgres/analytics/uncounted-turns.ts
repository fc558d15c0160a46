import type { EnforcementReason } from "../../../domain/chat.ts";
import type { TurnState } from "../../../domain/conversation.ts";
import type { Rating } from "../../../domain/feedback.ts";
import type { EpochMs } from "../../../domain/time.ts";
import type { OpenPlace } from "../../interface/analytics.ts";
import type { BotKey } from "../../interface/bots.ts";
import { List, type Queries } from "../connection.ts";

/** An uncounted turn, as it is read for counting and for lists. */
export interface UncountedRow {
  requestId: string;
  conversation: string;
  bot: BotKey;
  at: EpochMs;
  state: TurnState;
  enforcementReason: EnforcementReason | null;
  hasSuggestions: boolean;
  /** The state of its action; null if it had none. */
  actionState: string | null;
  intent: string | null;
  input: string;
  response: string;
  begins: boolean;
}

/** Looks for the name in the text first: most receipts lack it, and need no JSON parsing. */
const HAS_SUGGESTIONS = `
  CASE WHEN enforcement_reason = 'no_intent_match' AND strpos(receipt, '"suggestions"') > 0
    THEN receipt::json #>> '{suggestions,0}' IS NOT NULL ELSE false END AS "hasSuggestions"`;

/** Few turns have an action; other receipts are not parsed. */
const ACTION_STATE = `CASE WHEN action IS NOT NULL THEN receipt::json #>> '{action,state}' END AS "actionState"`;

/** Like `EXISTS`, but looked up by an index for each row: the planner might otherwise read a whole table. */
const isIn = (table: string, name: string) =>
  `(SELECT true FROM ${table} AS known WHERE known.request_id = ${name}.request_id LIMIT 1) IS NOT NULL`;

/** Turns that wait to be counted: they have ended. */
export const OF_ENDED = `FROM awaited_turns AS awaited WHERE NOT ${isIn("turns_in_flight", "awaited")}`;

/** The conversation is a subquery for each turn: a join might read all conversations. */
const UNCOUNTED = `
turns.request_id AS "requestId", conversation_id AS conversation,
  (SELECT bot_key::float8 FROM conversations WHERE conversations.id = conversation_id) AS bot, turns.at::float8 AS at, state,
  enforcement_reason AS "enforcementReason", ${HAS_SUGGESTIONS}, ${ACTION_STATE}, intent, input, response, number = 1 AS begins`;

const FIRST = `
SELECT ${UNCOUNTED}, ${isIn("counted_turns", "turns")} AS "isCounted" FROM turns
WHERE turns.request_id = ANY (ARRAY(SELECT request_id ${OF_ENDED} ORDER BY awaited.at, awaited.request_id LIMIT $1))
ORDER BY turns.at, turns.request_id`;

/**
 * The first turns to be counted. Turns that a server of an older version has counted are removed from the queue.
 */
export function readFirst(
  queries: Queries,
  most: number,
): Promise<(UncountedRow & { isCounted: boolean })[]> {
  return queries.query(FIRST, [most]);
}

const RATING = `(SELECT rating FROM ratings WHERE ratings.request_id = turns.request_id) AS rating`;
const LATEST_FIRST = "ORDER BY turns.at DESC, turns.request_id DESC";

const OPEN = `
SELECT ${UNCOUNTED}, ${RATING} FROM turns
WHERE turns.request_id = ANY (ARRAY(
  SELECT request_id ${OF_ENDED} AND NOT ${isIn("counted_turns", "awaited")}
    AND (awaited.at, awaited.request_id) < ($1::bigint, $2::text)
  ORDER BY awaited.at DESC, awaited.request_id DESC LIMIT $3)) ${LATEST_FIRST}`;

const OPEN_OF = `
SELECT ${UNCOUNTED}, ${RATING} FROM turns
WHERE conversation_id = ANY ($1::text[]) AND ${isIn("awaited_turns", "turns")}
  AND NOT ${isIn("turns_in_flight", "turns")} AND NOT ${isIn("counted_turns", "turns")} ${LATEST_FIRST}`;

export type OpenRow = UncountedRow & { rating: Rating | null };

/** Ended turns that are not counted, the latest first. */
export function listOpen(queries: Queries, below: OpenPlace | undefined, most: number): Promise<OpenRow[]> {
  const { at, open } = below ?? { at: Number.MAX_SAFE_INTEGER, open: "" };
  return queries.query<OpenRow>(OPEN, [at, open, most]);
}

/** All ended turns of some conversations that are not counted. */
export function listOpenOf(queries: Queries, conversations: readonly string[]): Promise<OpenRow[]> {
  return queries.query<OpenRow>(OPEN_OF, [new List(conversations)]);
}
