import type { RequestId } from "../../domain/ids.ts";
import type { EpochMs } from "../../domain/time.ts";
import { findTurn } from "../aggregates/conversations.ts";
import { IDEMPOTENCY_WINDOW_MS, type IdempotencyKey } from "../idempotency.ts";
import { sql } from "../sql/sql.ts";
import type { EarlierAnswer } from "../turn-store.ts";
import type { Queries } from "./connection.ts";
import { runOn } from "./postgres-engine.ts";

const FIND = `
SELECT * FROM (
  SELECT body_hash AS "bodyHash", request_id AS request, at,
    EXISTS (SELECT FROM turns_in_flight AS flying WHERE flying.request_id = known.request_id) AS "isRunning"
  FROM idempotency_records AS known WHERE embed_token_key = $1 AND key_hash = $2
) AS found WHERE at > $3 OR "isRunning"`;

/** The earlier answer of an idempotency key. */
export async function findEarlierAnswer(
  queries: Queries,
  { embedToken, keyHash }: IdempotencyKey,
  now: EpochMs,
): Promise<EarlierAnswer | undefined> {
  const [found] = await queries.query<{ bodyHash: Uint8Array; request: RequestId; isRunning: boolean }>(
    FIND,
    [embedToken, keyHash, now - IDEMPOTENCY_WINDOW_MS],
  );
  if (!found) return undefined;
  const { bodyHash, request, isRunning } = found;
  if (isRunning) return { state: "running", bodyHash };
  const turn = await runOn(queries, findTurn(sql`turns.request_id = ${request}`));
  return turn && { state: turn.state === "unanswered" ? "unanswered" : "answered", bodyHash, turn };
}
