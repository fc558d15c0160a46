import { CAP_NEAR_PERCENT } from "../../../domain/delivery.ts";
import type { BotId } from "../../../domain/ids.ts";
import { type EpochMs, monthOf } from "../../../domain/time.ts";
import {
  addedByTarget,
  cappedRecipients,
  capSubject,
  type CountedTurn,
  GO_FOR_EACH,
  type PlannedEvents,
  planTurnEvents,
  startName,
  tellableTurns,
} from "../../analytics/plan-events.ts";
import type { BotKey } from "../../interface/bots.ts";
import type { Telling, ToldBehind } from "../../interface/outbox.ts";
import { OF_TURNS } from "../../outbox.ts";
import { List, type Queries } from "../connection.ts";
import { readWaitingTurns } from "../outbox.ts";

interface NamedTurn extends CountedTurn {
  requestId: string;
  conversation: string;
}

/** A row that clashes with another index was never told of: that is an error. */
const UNLESS_TOLD = `
ON CONFLICT (target, event, subject, bot_key) WHERE event IN ('cap.near', 'turn.refused', 'turn.unmatched', 'action.done', 'action.failed') DO NOTHING`;

/** A conversation that is being erased is waited for, and then told of no more. */
const ADD_TURNS = `
INSERT INTO deliveries
  (id, channel, target, event, bot_key, conversation_id, subject, state, attempts, created_at, next_at)
SELECT item.id, 'webhook', target, event, bot_key, conversations.id, subject, 'waiting', 0, $6::bigint, $6::bigint
FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[]) AS item (id, target, event, subject, conversation)
JOIN conversations ON conversations.id = item.conversation COLLATE "C" FOR KEY SHARE OF conversations
${UNLESS_TOLD}`;

const DELETE_ENDED = `
DELETE FROM deliveries WHERE key IN (
  SELECT key FROM deliveries WHERE ${OF_TURNS} AND ended_at IS NOT NULL AND target = $1
  ORDER BY ended_at DESC LIMIT $2 OFFSET $3)`;

/** A cap that is lowered, or stays, is told of once; one that is raised is another one. */
const NOTE_CAPS = `
UPDATE monthly_usage AS used SET told_cap = cap
FROM (SELECT key, (limits::json ->> 'monthlyMessageCap')::bigint AS cap FROM bots WHERE key = ANY($1::bigint[])) AS capped
WHERE bot_key = capped.key AND month = $2 AND messages * 100 >= cap * ${CAP_NEAR_PERCENT} AND cap > coalesce(told_cap, 0)
RETURNING bot_key::float8 AS bot, cap::float8 AS cap`;

const ADD_CAP = `
INSERT INTO deliveries (id, channel, target, event, bot_key, subject, state, attempts, created_at, next_at)
VALUES ($1, 'webhook', $2, 'cap.near', $3, $4, 'waiting', 0, $5::bigint, $5::bigint) ${UNLESS_TOLD}`;

/**
 * Puts into the outbox what counting finds, in the transaction that counts. To be called before the turns are counted: whoever erases takes
 * conversations before turns.
 */
export async function tellBehind(
  queries: Queries,
  turns: readonly NamedTurn[],
  telling: Telling,
): Promise<ToldBehind> {
  if (turns.length === 0) return { added: 0, dropped: [] };
  const botIds = await readBotIds(queries, turns);
  const now = telling.now();
  const { deliveries, dropped } = await plan(queries, turns, botIds, telling);
  await addTurns(queries, deliveries, now);
  for (const [target, count] of addedByTarget(deliveries))
    await queries.query(DELETE_ENDED, [target, GO_FOR_EACH * count, telling.mostOfTurns]);
  return { added: deliveries.length + (await tellOfCaps(queries, botIds, telling, now)), dropped };
}

async function readBotIds(queries: Queries, turns: readonly NamedTurn[]): Promise<Map<BotKey, BotId>> {
  const rows = await queries.query<{ key: BotKey; id: BotId }>(
    "SELECT key::float8 AS key, id FROM bots WHERE key = ANY($1::bigint[])",
    [new List([...new Set(turns.map(({ bot }) => bot))])],
  );
  return new Map(rows.map(({ key, id }) => [key, id]));
}

async function plan(
  queries: Queries,
  turns: readonly NamedTurn[],
  botIds: ReadonlyMap<BotKey, BotId>,
  telling: Telling,
): Promise<PlannedEvents<NamedTurn>> {
  const tellable = tellableTurns(turns);
  if (tellable.length === 0) return { deliveries: [], dropped: [] };
  const rows = await queries.query<{ target: string; event: string; at: EpochMs }>(
    "SELECT target, event, at::float8 AS at FROM event_starts",
  );
  const starts = new Map(rows.map(({ target, event, at }) => [startName(target, event), at]));
  if (starts.size === 0) return { deliveries: [], dropped: [] };
  const waiting = await readWaitingTurns(queries);
  return planTurnEvents(tellable, { botIds, starts, waiting }, telling);
}

async function addTurns(
  queries: Queries,
  deliveries: PlannedEvents<NamedTurn>["deliveries"],
  now: EpochMs,
): Promise<void> {
  if (deliveries.length === 0) return;
  await queries.query(ADD_TURNS, [
    new List(deliveries.map(({ delivery }) => delivery.id)),
    new List(deliveries.map(({ delivery }) => delivery.target)),
    new List(deliveries.map(({ delivery }) => delivery.event)),
    new List(deliveries.map(({ turn }) => turn.requestId)),
    new List(deliveries.map(({ turn }) => turn.conversation)),
    now,
  ]);
}

/** @returns how many deliveries were added. */
async function tellOfCaps(
  queries: Queries,
  botIds: ReadonlyMap<BotKey, BotId>,
  telling: Telling,
  now: EpochMs,
): Promise<number> {
  const recipients = cappedRecipients(botIds, telling);
  if (recipients.size === 0) return 0;
  const month = monthOf(now);
  const near = await queries.query<{ bot: BotKey; cap: number }>(NOTE_CAPS, [
    new List([...recipients.keys()]),
    month,
  ]);
  const added = near.flatMap(({ bot, cap }) =>
    recipients.get(bot)!.map(({ id, target }) => [id, target, bot, capSubject(month, cap), now]),
  );
  for (const values of added) await queries.query(ADD_CAP, values);
  return added.length;
}
