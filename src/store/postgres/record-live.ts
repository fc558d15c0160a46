import { addEvent } from "../aggregates/handoff-events.ts";
import { isLive } from "../aggregates/handoffs.ts";
import type { LiveOutcome, LiveTurn } from "../interface/handoffs.ts";
import type { Queries } from "./connection.ts";
import { findEarlierAnswer } from "./earlier-answers.ts";
import { isRace, MAX_RACES } from "./failure.ts";
import type { Pool } from "./pool.ts";
import { runOn } from "./postgres-engine.ts";
import { insertUncounted } from "./turn-group.ts";

/** Stores a visitor's message to an operator, which is not counted against the cap. */
export async function recordLive(pool: Pool, record: LiveTurn): Promise<LiveOutcome> {
  for (let races = 0; ; races += 1) {
    try {
      return await pool.transaction((queries) => recordOnce(queries, record));
    } catch (error) {
      if (!isRace(error) || races >= MAX_RACES) throw error;
    }
  }
}

/** Locks the hand-off's row until the message is stored, so that the conversation is not given back in between. */
async function recordOnce(queries: Queries, record: LiveTurn): Promise<LiveOutcome> {
  const { conversationId, turn, idempotencyKey } = record;
  if (!(await runOn(queries, isLive(conversationId, turn.at)))) return "not_live";
  if (idempotencyKey && (await findEarlierAnswer(queries, idempotencyKey, turn.at))) return "key_taken";
  await insertUncounted(queries, record);
  await runOn(queries, addEvent(conversationId, { at: turn.at, kind: "visitor", text: turn.input }));
  return "recorded";
}
