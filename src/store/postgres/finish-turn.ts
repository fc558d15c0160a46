import { monthOf } from "../../domain/time.ts";
import { IDEMPOTENCY_WINDOW_MS } from "../idempotency.ts";
import type { FinishOutcome, TurnToFinish } from "../turn-store.ts";
import { recount } from "./analytics/turn-counting.ts";
import type { Parameter, Queries } from "./connection.ts";
import { answerAssignments, answerParameters } from "./turn-group.ts";

const MAX_TOKENS = Number.MAX_SAFE_INTEGER;

/**
 * Whether the turn still counts, or was given back: by a server that took this one for dead, or by this one, if this statement was delayed
 * on its way. An answer to a turn that was given back must not be written before the turn is counted again. If the turn is not in flight
 * any more, its rows are locked, so that the statement waits for a concurrent change and sees it.
 */
const STANDING = `
gone AS (
  DELETE FROM turns_in_flight WHERE request_id = $1 RETURNING bot_key, month
),
known AS (
  SELECT state <> 'unanswered' AS has_ended FROM turns WHERE request_id = $1 FOR UPDATE
),
living AS (
  SELECT FROM instances WHERE id = $6 FOR KEY SHARE
),
reserved AS (
  SELECT EXISTS (SELECT FROM gone) AS is_reserved
),
found AS (
  SELECT is_reserved,
    NOT is_reserved AND EXISTS (SELECT FROM known WHERE has_ended) AS has_ended,
    NOT is_reserved AND NOT EXISTS (SELECT FROM living) AS was_taken_for_dead,
    NOT is_reserved AND EXISTS (SELECT FROM known) AS is_known
  FROM reserved
),
standing AS (
  SELECT *, NOT is_reserved AND $5::boolean AND CASE WHEN is_known THEN NOT has_ended ELSE was_taken_for_dead END
    AS is_to_be_counted
  FROM found
)`;

/**
 * Ends a turn in one statement. If the server's answer is lost, the statement is sent again, and tokens must not be counted twice: they are
 * counted with the turn in flight, or if another server has given that back, or if the turn was erased. A turn that has ended is not given
 * back: its answer is stored, although the caller did not learn of it.
 * stored, but it was.
 */
const FINISH = `
WITH ${STANDING},
difference AS (
  SELECT bot_key, month, sum(messages)::bigint AS messages, sum(tokens)::bigint AS tokens FROM (
    SELECT bot_key, month, -1 AS messages, 0::bigint AS tokens FROM gone WHERE NOT $5
    UNION ALL
    SELECT bots.key, $3::text, 0, $4::bigint FROM bots, standing
    WHERE bots.key = $2 AND $4 > 0 AND NOT is_to_be_counted
      AND (is_reserved OR ((was_taken_for_dead OR NOT is_known) AND NOT ($7::boolean OR has_ended)))
  ) AS parts GROUP BY bot_key, month
),
used AS (
  INSERT INTO monthly_usage AS usage (bot_key, month, messages, model_tokens)
  SELECT bot_key, month, 0, tokens FROM difference ORDER BY bot_key, month
  ON CONFLICT (bot_key, month) DO UPDATE SET
    messages = greatest(usage.messages + (SELECT difference.messages FROM difference
      WHERE difference.bot_key = excluded.bot_key AND difference.month = excluded.month), 0),
    model_tokens = least(usage.model_tokens + excluded.model_tokens, ${MAX_TOKENS})
),
forgotten AS (
  DELETE FROM idempotency_records WHERE request_id = $1 AND $8::boolean AND (SELECT is_reserved FROM standing)
),
answered AS (
  UPDATE turns SET ${answerAssignments(9)}
  WHERE request_id = $1 AND NOT (SELECT is_to_be_counted OR (has_ended AND NOT $5) FROM standing)
)
SELECT is_to_be_counted FROM standing`;

/** Stores the result of a begun turn. @param attempt number of earlier attempts, which may have taken effect. */
export async function finishTurn(
  queries: Queries,
  result: TurnToFinish,
  attempt: number,
): Promise<FinishOutcome | "to_be_counted"> {
  const { bot, turn, modelTokens, isCounted, isReplaceable, instance } = result;
  const [standing] = await queries.query<{ is_to_be_counted: boolean }>(FINISH, [
    turn.requestId,
    bot,
    monthOf(turn.at),
    modelTokens,
    isCounted,
    instance,
    attempt > 0,
    turn.state === "cut" || (!isCounted && isReplaceable !== true),
    ...answerParameters(turn),
  ]);
  return standing!.is_to_be_counted ? "to_be_counted" : "finished";
}

const IS_KEY_TAKEN = `
SELECT 1 FROM idempotency_records AS known
WHERE embed_token_key = $1 AND key_hash = $2 AND request_id <> $3 AND (at > $4
  OR EXISTS (SELECT FROM turns_in_flight AS flying WHERE flying.request_id = known.request_id))`;

const COUNT = `
INSERT INTO monthly_usage AS usage (bot_key, month, messages) SELECT key, $2, 1 FROM bots WHERE key = $1 AND $3::bigint > 0
ON CONFLICT (bot_key, month) DO UPDATE SET messages = usage.messages + 1 WHERE usage.messages < $3
RETURNING 1`;

const ADD_TOKENS = `
UPDATE monthly_usage SET model_tokens = least(model_tokens + $3, ${MAX_TOKENS}) WHERE bot_key = $1 AND month = $2`;

const ANSWER = `UPDATE turns SET ${answerAssignments(2)} WHERE request_id = $1`;

/** Leaves a key that another server has begun since the look: of two turns with one key, the first to save it keeps it. */
const SAVE_KEY = `
INSERT INTO idempotency_records AS known (embed_token_key, key_hash, body_hash, request_id, at) VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (embed_token_key, key_hash)
DO UPDATE SET body_hash = excluded.body_hash, request_id = excluded.request_id, at = excluded.at
WHERE known.request_id = excluded.request_id OR (known.at <= $6
  AND NOT EXISTS (SELECT FROM turns_in_flight AS flying WHERE flying.request_id = known.request_id))
RETURNING 1`;

const FORGET_KEY = "DELETE FROM idempotency_records WHERE request_id = $1";

/**
 * Counts a turn that was given back once more, and stores its answer, if the cap has room and no other server has taken its key. Part of
 * the caller's transaction.
 */
export async function finishGivenBack(queries: Queries, result: TurnToFinish): Promise<FinishOutcome> {
  const { bot, turn, modelTokens, monthlyMessageCap, idempotencyKey } = result;
  const { requestId, at } = turn;
  const month = monthOf(at);
  const [stored] = await queries.query<{ state: string }>(
    "SELECT state FROM turns WHERE request_id = $1 FOR UPDATE",
    [requestId],
  );
  // An earlier attempt has stored it, but its answer was lost.
  if (stored && stored.state !== "unanswered") return "finished";
  const isAnswer = turn.state !== "cut";
  const key: Parameter[] | undefined = idempotencyKey && [idempotencyKey.embedToken, idempotencyKey.keyHash];
  const since = at - IDEMPOTENCY_WINDOW_MS;
  const taken = key ? await queries.query(IS_KEY_TAKEN, [...key, requestId, since]) : [];
  if (taken.length > 0) return "key_taken";
  if (stored && key && idempotencyKey && isAnswer) {
    const saved = await queries.query(SAVE_KEY, [...key, idempotencyKey.bodyHash, requestId, at, since]);
    if (saved.length === 0) return "key_taken";
  }
  const counted = await queries.query(COUNT, [bot, month, monthlyMessageCap ?? MAX_TOKENS]);
  if (counted.length === 0) {
    await queries.query(FORGET_KEY, [requestId]);
    const bots = await queries.query("SELECT 1 FROM bots WHERE key = $1", [bot]);
    return bots.length === 0 ? "bot_deleted" : "cap_reached";
  }
  if (modelTokens > 0) await queries.query(ADD_TOKENS, [bot, month, modelTokens]);
  await queries.query(ANSWER, [requestId, ...answerParameters(turn)]);
  await recount(queries, requestId);
  return "finished";
}
