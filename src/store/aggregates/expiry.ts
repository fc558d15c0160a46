import type { EpochMs } from "../../domain/time.ts";
import { IDEMPOTENCY_WINDOW_MS } from "../idempotency.ts";
import { byEngine, sql } from "../sql/sql.ts";
import { run, type Work } from "../sql/work.ts";
import { deleteOldActions } from "./actions.ts";
import type { SqlChanges } from "./changes.ts";
import { CONVERSATION, TURN } from "./references.ts";
import { deleteUnusedVectors } from "./vectors.ts";

/** Rows of one kind that one step deletes: SQLite holds the write lock during a step, and messages wait. Chosen by hand. */
const STEP = 200;

/** Sweeps of several servers skip each other's rows. */
const UNLESS_TAKEN = byEngine({ sqlite: "", postgres: "FOR UPDATE SKIP LOCKED" });
const UNLESS_IDLE_TAKEN = byEngine({ sqlite: "", postgres: "FOR UPDATE OF idle SKIP LOCKED" });

/** Starts from bots, so that SQLite uses the index of conversations by bot. Conversations of deleted bots are erased separately. */
const IDLE_OF_BOTS = byEngine({
  sqlite: "bots CROSS JOIN conversations AS idle ON idle.bot_key = bots.key",
  postgres: "bots JOIN conversations AS idle ON idle.bot_key = bots.key",
});
const IDLE_KEY = byEngine({ sqlite: "idle.key", postgres: "idle.id" });
const OWN_KEY = byEngine({ sqlite: "key", postgres: "id" });

/** Deletes one small step of expired rows. @returns whether there may be more. */
export function* deleteExpired(
  now: EpochMs,
  conversationsNotBefore: EpochMs,
  changes: Pick<SqlChanges, "addExpired">,
): Work<boolean> {
  const keys = yield* deleteIdempotencyKeys(now, STEP);
  const conversations =
    conversationsNotBefore > 0 ? yield* deleteIdleConversations(conversationsNotBefore, STEP) : 0;
  if (conversations > 0) yield* changes.addExpired(conversations);
  const vectors = yield* deleteUnusedVectors(now, STEP);
  const actions = yield* deleteOldActions(now, STEP);
  return keys + conversations + vectors + actions >= STEP;
}

/** Deletes expired idempotency keys, except those whose turn is in flight. */
function* deleteIdempotencyKeys(now: EpochMs, most: number): Work<number> {
  return yield* run(sql`
    DELETE FROM idempotency_records WHERE (embed_token_key, key_hash) IN (
      SELECT embed_token_key, key_hash FROM idempotency_records AS known
      WHERE at <= ${now - IDEMPOTENCY_WINDOW_MS}
        AND NOT EXISTS (SELECT 1 FROM turns_in_flight AS flying WHERE flying.${TURN} = known.${TURN})
      LIMIT ${most} ${UNLESS_TAKEN})`);
}

/** Deletes at most so many conversations without a turn at or after `notBefore`. @returns how many. */
export function* deleteIdleConversations(notBefore: EpochMs, most: number): Work<number> {
  return yield* run(sql`
    DELETE FROM conversations WHERE ${OWN_KEY} IN (
      SELECT ${IDLE_KEY} FROM ${IDLE_OF_BOTS}
      WHERE idle.created_at < ${notBefore}
        AND NOT EXISTS (SELECT 1 FROM turns WHERE turns.${CONVERSATION} = ${IDLE_KEY} AND at >= ${notBefore})
      LIMIT ${most} ${UNLESS_IDLE_TAKEN})`);
}
