import type { RequestId } from "../../domain/ids.ts";
import type { EpochMs } from "../../domain/time.ts";
import { IDEMPOTENCY_WINDOW_MS, type IdempotencyKey } from "../idempotency.ts";
import { toTurn, type TurnRow } from "../turn-rows.ts";
import type { EarlierAnswer } from "../turn-store.ts";
import type { Queries } from "./connection.ts";
import { PAST_TURN_COLUMNS } from "./histories.ts";

/** A turn as `toTurn` takes it. */
const SELECT_TURN = `
SELECT ${PAST_TURN_COLUMNS.replace("request_id AS key", "turns.request_id AS key")}, bots.id AS bot_id,
  conversations.id AS conversation_id, bot_version::float8 AS bot_version, enforcement_reason,
  schema_enforced::int4 AS schema_enforced, schema_fallback_used::int4 AS schema_fallback_used,
  schema_validation_error, receipt
FROM turns JOIN conversations ON conversations.id = conversation_id JOIN bots ON bots.key = conversations.bot_key`;

const IS_RUNNING =
  "EXISTS (SELECT FROM turns_in_flight AS flying WHERE flying.request_id = known.request_id)";

const FIND = `
SELECT known.body_hash, ${IS_RUNNING} AS is_running, answer.*
FROM idempotency_records AS known JOIN LATERAL (${SELECT_TURN} WHERE turns.request_id = known.request_id) AS answer ON true
WHERE known.embed_token_key = $1 AND known.key_hash = $2 AND (known.at > $3 OR ${IS_RUNNING})`;

/** What is known of an idempotency key. */
export async function findEarlierAnswer(
  queries: Queries,
  { embedToken, keyHash }: IdempotencyKey,
  now: EpochMs,
): Promise<EarlierAnswer | undefined> {
  const [found] = await queries.query<TurnRow & { body_hash: Uint8Array; is_running: boolean }>(FIND, [
    embedToken,
    keyHash,
    now - IDEMPOTENCY_WINDOW_MS,
  ]);
  if (!found) return undefined;
  const { body_hash: bodyHash, is_running: isRunning } = found;
  if (isRunning) return { state: "running", bodyHash };
  return { state: found.state === "unanswered" ? "unanswered" : "answered", bodyHash, turn: toTurn(found) };
}

/** The turn of `request` answers the key no more; one that has taken the key since still does. */
export async function forgetAnswer(
  queries: Queries,
  { embedToken, keyHash }: IdempotencyKey,
  request: RequestId,
): Promise<void> {
  await queries.query(
    "DELETE FROM idempotency_records WHERE embed_token_key = $1 AND key_hash = $2 AND request_id = $3",
    [embedToken, keyHash, request],
  );
}
