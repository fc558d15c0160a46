import type { EpochMs } from "../../domain/time.ts";
import { deleteOldActions } from "../aggregates/actions.ts";
import type { SqlChanges } from "../aggregates/changes.ts";
import { deleteUnusedVectors } from "../aggregates/vectors.ts";
import { IDEMPOTENCY_WINDOW_MS } from "../idempotency.ts";
import type { Queries } from "./connection.ts";
import { runOn } from "./postgres-engine.ts";

/** What is deleted in one step. Sweeps of several servers pass over each other's rows. */
const STEP = 200;

const DELETE_KEYS = `
DELETE FROM idempotency_records WHERE (embed_token_key, key_hash) IN (
  SELECT embed_token_key, key_hash FROM idempotency_records AS known
  WHERE at <= $1 AND NOT EXISTS (SELECT FROM turns_in_flight AS flying WHERE flying.request_id = known.request_id)
  LIMIT ${STEP} FOR UPDATE SKIP LOCKED)
RETURNING 1`;

const DELETE_CONVERSATIONS = `
DELETE FROM conversations WHERE id IN (
  SELECT id FROM conversations AS idle
  WHERE created_at < $1 AND EXISTS (SELECT FROM bots WHERE bots.key = idle.bot_key) AND NOT EXISTS (SELECT FROM turns WHERE conversation_id = idle.id AND at >= $1)
  LIMIT ${STEP} FOR UPDATE SKIP LOCKED)
RETURNING 1`;

/** Deletes one small step of what has expired; part of the caller's transaction. @returns whether there may be more. */
export async function deleteExpired(
  queries: Queries,
  changes: Pick<SqlChanges, "addExpired">,
  now: EpochMs,
  conversationsNotBefore: EpochMs,
): Promise<boolean> {
  const keys = await queries.query(DELETE_KEYS, [now - IDEMPOTENCY_WINDOW_MS]);
  const conversations =
    conversationsNotBefore > 0 ? await queries.query(DELETE_CONVERSATIONS, [conversationsNotBefore]) : [];
  if (conversations.length > 0) await runOn(queries, changes.addExpired(conversations.length));
  const vectors = await runOn(queries, deleteUnusedVectors(now, STEP));
  const actions = await runOn(queries, deleteOldActions(now, STEP));
  return keys.length + conversations.length + vectors + actions >= STEP;
}
