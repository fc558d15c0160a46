import { CAP_NEAR_PERCENT } from "../../domain/delivery.ts";
import type { BotId } from "../../domain/ids.ts";
import { type EpochMs, monthOf } from "../../domain/time.ts";
import {
  addedByTarget,
  cappedRecipients,
  capSubject,
  type CountedTurn,
  GO_FOR_EACH,
  type PlannedEvents,
  planTurnEvents,
  startName,
  reportableTurns,
} from "../analytics/plan-events.ts";
import type { BotKey } from "../interface/bots.ts";
import type { TurnKey } from "../interface/conversations.ts";
import type { EventReporting, ReportedEvents } from "../interface/outbox.ts";
import { among, byEngine, joined, sql, text } from "../sql/sql.ts";
import { all, run, type Work } from "../sql/work.ts";
import { countWaitingTurns, OF_TURNS } from "./outbox.ts";
import { CONVERSATION, CONVERSATION_KEY, TURN_KEY } from "./references.ts";
import { ROWS_AT_ONCE, stepsOf } from "./steps.ts";

interface KeyedTurn extends CountedTurn {
  key: TurnKey;
}

/**
 * Skips an event that was reported before. A conflict on any other index is an error, so each clause names its index by the index's
 * condition. Actions have a separate index, because a server of an earlier version names the other index in its own statements.
 */
const UNLESS_REPORTED = sql`
  ON CONFLICT (target, event, subject, bot_key) WHERE event IN ('cap.near', 'turn.refused', 'turn.unmatched') DO NOTHING`;
const UNLESS_ACTION_REPORTED = sql`
  ON CONFLICT (target, event, subject, bot_key) WHERE event IN ('action.done', 'action.failed') DO NOTHING`;
const OF_ACTIONS: ReadonlySet<string> = new Set(["action.done", "action.failed"]);

/** Waits for an erasure of the conversation; events of an erased conversation are not reported. */
const KEEPING_CONVERSATION = byEngine({ sqlite: "", postgres: "FOR KEY SHARE OF conversations" });

const CAP = byEngine({
  sqlite: "limits ->> '$.monthlyMessageCap'",
  postgres: "(limits::json ->> 'monthlyMessageCap')::bigint",
});

/**
 * Puts the events that counting finds into the outbox, in the counting transaction. To be called before the turns are counted: an
 * erasure locks conversations before turns, and the opposite order would deadlock.
 */
export function* reportEvents(turns: readonly KeyedTurn[], reporting: EventReporting): Work<ReportedEvents> {
  if (turns.length === 0) return { added: 0, dropped: [] };
  const botIds = yield* readBotIds(turns);
  const now = reporting.now();
  const { deliveries, dropped } = yield* plan(turns, botIds, reporting);
  const ofActions = deliveries.filter(({ delivery }) => OF_ACTIONS.has(delivery.event));
  const others = deliveries.filter(({ delivery }) => !OF_ACTIONS.has(delivery.event));
  for (const step of stepsOf(others, ROWS_AT_ONCE)) yield* addTurns(step, now, UNLESS_REPORTED);
  for (const step of stepsOf(ofActions, ROWS_AT_ONCE)) yield* addTurns(step, now, UNLESS_ACTION_REPORTED);
  for (const [target, count] of addedByTarget(deliveries))
    yield* deleteEnded(target, GO_FOR_EACH * count, reporting.mostOfTurns);
  return { added: deliveries.length + (yield* reportCaps(botIds, reporting, now)), dropped };
}

function* readBotIds(turns: readonly CountedTurn[]): Work<Map<BotKey, BotId>> {
  const keys = [...new Set(turns.map(({ bot }) => bot))];
  const rows = yield* all<{ key: BotKey; id: BotId }>(
    sql`SELECT key, id FROM bots WHERE key IN ${among(keys)}`,
  );
  return new Map(rows.map(({ key, id }) => [key, id]));
}

function* plan(
  turns: readonly KeyedTurn[],
  botIds: ReadonlyMap<BotKey, BotId>,
  reporting: EventReporting,
): Work<PlannedEvents<KeyedTurn>> {
  const reportable = reportableTurns(turns);
  if (reportable.length === 0) return { deliveries: [], dropped: [] };
  const rows = yield* all<{ target: string; event: string; at: EpochMs }>(
    sql`SELECT target, event, at FROM event_starts`,
  );
  const starts = new Map(rows.map(({ target, event, at }) => [startName(target, event), at]));
  if (starts.size === 0) return { deliveries: [], dropped: [] };
  return planTurnEvents(reportable, { botIds, starts, waiting: yield* countWaitingTurns() }, reporting);
}

function* addTurns(
  deliveries: PlannedEvents<KeyedTurn>["deliveries"],
  now: EpochMs,
  unlessReported: typeof UNLESS_REPORTED,
): Work<void> {
  const rows = deliveries.map(
    ({ turn, delivery: { id, channel, target, event } }) =>
      sql`(${id}, ${channel}, ${target}, ${event}, ${turn.key})`,
  );
  yield* run(sql`
    INSERT INTO deliveries
      (id, channel, target, event, bot_key, ${CONVERSATION}, subject, state, attempts, created_at, next_at)
    SELECT column1, column2, column3, column4, bot_key, ${CONVERSATION_KEY}, turns.request_id, 'waiting', 0,
      CAST(${now} AS bigint), CAST(${now} AS bigint)
    FROM (VALUES ${joined(rows, ", ")}) AS item JOIN turns ON ${TURN_KEY} = item.column5
    JOIN conversations ON ${CONVERSATION_KEY} = turns.${CONVERSATION} WHERE true ${KEEPING_CONVERSATION} ${unlessReported}`);
}

/** Deletes ended deliveries, except the newest ones. */
function* deleteEnded(target: string, most: number, kept: number): Work<void> {
  yield* run(sql`
    DELETE FROM deliveries WHERE key IN (
      SELECT key FROM deliveries WHERE ${OF_TURNS} AND ended_at IS NOT NULL AND target = ${target}
      ORDER BY ended_at DESC LIMIT ${most} OFFSET ${kept})`);
}

/** @returns how many deliveries were added. */
function* reportCaps(
  botIds: ReadonlyMap<BotKey, BotId>,
  reporting: EventReporting,
  now: EpochMs,
): Work<number> {
  const recipients = cappedRecipients(botIds, reporting);
  if (recipients.size === 0) return 0;
  const month = monthOf(now);
  let added = 0;
  for (const { bot, cap } of yield* noteCaps([...recipients.keys()], month))
    for (const { id, channel, target, event } of recipients.get(bot)!) {
      yield* run(sql`
        INSERT INTO deliveries (id, channel, target, event, bot_key, subject, state, attempts, created_at, next_at)
        VALUES (${id}, ${channel}, ${target}, ${event}, ${bot}, ${capSubject(month, cap)}, 'waiting', 0, ${now}, ${now})
        ${UNLESS_REPORTED}`);
      added += 1;
    }
  return added;
}

/** Each cap is reported once. A lower or equal cap is not reported again; a higher one is. */
function* noteCaps(bots: readonly BotKey[], month: string): Work<{ bot: BotKey; cap: number }[]> {
  return yield* all<{ bot: BotKey; cap: number }>(sql`
    UPDATE monthly_usage SET told_cap = cap
    FROM (SELECT key, ${CAP} AS cap FROM bots WHERE key IN ${among(bots)}) AS capped
    WHERE bot_key = capped.key AND month = ${month} AND messages * 100 >= cap * ${text(String(CAP_NEAR_PERCENT))}
      AND cap > coalesce(told_cap, 0)
    RETURNING bot_key AS bot, told_cap AS cap`);
}
