import type { Turn } from "../../domain/conversation.ts";
import type { InstanceId } from "../../domain/ids.ts";
import { monthOf } from "../../domain/time.ts";
import { IDEMPOTENCY_WINDOW_MS } from "../idempotency.ts";
import type { TurnToBegin } from "../turn-store.ts";
import { List, type Parameter, type Queries } from "./connection.ts";
import { storableJson, storableText } from "./storable.ts";

/** A message to be stored: with its answer, or before its answer is known. */
export interface GroupedTurn {
  record: TurnToBegin;
  isBegun: boolean;
}

/** The result of one message of a group. `stored`: by this attempt, or by an earlier one whose answer was lost. */
export type GroupVerdict = "stored" | "key_taken" | "bot_deleted" | "budget_spent" | "cap_reached";

/** A verdict, and the server that owes the turn's answer. */
export interface Stored {
  verdict: GroupVerdict;
  instance: InstanceId;
}

/** Types of the statement's list parameters. */
type ListType = "TEXT" | "BIGINT" | "BOOLEAN" | "BYTEA";
type Value = string | number | boolean | Uint8Array | null;

interface Column {
  name: string;
  type: ListType;
  of: (turn: GroupedTurn) => Value;
}

const column = (name: string, type: ListType, of: Column["of"]): Column => ({ name, type, of });
const ofTurn = (name: string, type: ListType, of: (turn: Turn) => Value) =>
  column(name, type, ({ record }) => of(record.turn));

/** Columns of a turn, in the order of the table and of the statement. */
const TURN_COLUMNS: readonly Column[] = [
  ofTurn("request_id", "TEXT", (turn) => turn.requestId),
  column("conversation_id", "TEXT", ({ record }) => record.conversationId),
  ofTurn("bot_version", "BIGINT", (turn) => turn.botVersion),
  ofTurn("at", "BIGINT", (turn) => turn.at),
  ofTurn("input", "TEXT", (turn) => storableText(turn.input)),
];

/** Columns of the answer, in the order in which `finishTurn` writes them as well. */
const ANSWER_COLUMNS: readonly { name: string; type: ListType; of: (turn: Turn) => Value }[] = [
  { name: "state", type: "TEXT", of: (turn) => turn.state },
  { name: "response", type: "TEXT", of: (turn) => storableText(turn.response) },
  { name: "intent", type: "TEXT", of: (turn) => turn.intent ?? null },
  { name: "capability_allowed", type: "BOOLEAN", of: ({ metadata }) => metadata.capabilityAllowed },
  { name: "enforcement_reason", type: "TEXT", of: ({ metadata }) => metadata.enforcementReason ?? null },
  { name: "schema_enforced", type: "BOOLEAN", of: ({ metadata }) => metadata.schemaEnforced },
  { name: "schema_fallback_used", type: "BOOLEAN", of: ({ metadata }) => metadata.schemaFallbackUsed },
  {
    name: "schema_validation_error",
    type: "TEXT",
    of: ({ metadata: { schemaValidationError: error } }) =>
      error === undefined ? null : storableText(error),
  },
  { name: "response_index", type: "BIGINT", of: (turn) => turn.responseIndex ?? null },
  {
    name: "subject",
    type: "TEXT",
    of: ({ subject }) => (subject === undefined ? null : storableJson(subject)),
  },
  {
    name: "standalone",
    type: "TEXT",
    of: ({ standalone }) => (standalone === undefined ? null : storableText(standalone)),
  },
  {
    name: "action",
    type: "TEXT",
    of: ({ action }) => (action === undefined ? null : storableJson(action)),
  },
  { name: "receipt", type: "TEXT", of: (turn) => storableJson(turn.receipt) },
];

/** Columns that decide whether the turn is stored. */
const LIMIT_COLUMNS: readonly Column[] = [
  column("bot", "BIGINT", ({ record }) => record.bot),
  ofTurn("month", "TEXT", (turn) => monthOf(turn.at)),
  column("cap", "BIGINT", ({ record }) => record.monthlyMessageCap ?? Number.MAX_SAFE_INTEGER),
  column("budget", "BIGINT", ({ record }) => record.monthlyTokenBudget ?? Number.MAX_SAFE_INTEGER),
  column("embed_token", "BIGINT", ({ record }) => record.idempotencyKey?.embedToken ?? null),
  column("key_hash", "BYTEA", ({ record }) => record.idempotencyKey?.keyHash ?? null),
  column("body_hash", "BYTEA", ({ record }) => record.idempotencyKey?.bodyHash ?? null),
  column("is_begun", "BOOLEAN", ({ isBegun }) => isBegun),
  column("replaces", "TEXT", ({ record }) => record.replaces ?? null),
];

const STORED = [...TURN_COLUMNS, ...ANSWER_COLUMNS.map(({ name, type, of }) => ofTurn(name, type, of))];
const COLUMNS = [...STORED, ...LIMIT_COLUMNS];
const INSTANCE = `$${COLUMNS.length + 1}`;
const STORED_NAMES = STORED.map(({ name }) => name).join(", ");

/** Like `EXISTS`, but looked up by an index for each item of the group: the planner might otherwise read a whole table that was small when it planned. */
function isThere(rows: string): string {
  return `(SELECT true FROM ${rows} LIMIT 1) IS NOT NULL`;
}

/** Of equal keys in a group, the first counts; an earlier turn keeps a key until it expires, and while its answer is awaited. */
const IS_KEY_TAKEN = `
  key_hash IS NOT NULL AND (
    row_number() OVER (PARTITION BY embed_token, key_hash ORDER BY position) > 1
    OR ${isThere(`
      idempotency_records AS known
      WHERE known.embed_token_key = item.embed_token AND known.key_hash = item.key_hash AND (
        known.at > item.at - ${IDEMPOTENCY_WINDOW_MS}
        OR EXISTS (SELECT FROM turns_in_flight AS flying WHERE flying.request_id = known.request_id))`)})`;

/** How many of the requested messages the cap has room for. */
const ROOM = `(SELECT least(wanted.turns, greatest(wanted.cap - usage.messages, 0)) FROM wanted
      WHERE wanted.bot = excluded.bot_key AND wanted.month = excluded.month)`;

/** For a turn that an earlier attempt has begun: the server's instance id of that time. NULL if that server has been taken for dead since. */
const BEGUN_FOR = `coalesce((SELECT instance_id FROM turns_in_flight AS flying WHERE flying.request_id = judged.request_id), '')`;

/** By the place of each row: for a join, the planner might read the whole table for every group, although a turn is rarely replaced. */
const DELETE_REPLACED = `
  DELETE FROM turns WHERE ctid = ANY (ARRAY(
    SELECT (SELECT ctid FROM turns AS earlier WHERE earlier.request_id = admitted.replaces AND earlier.state = 'unanswered' LIMIT 1)
    FROM admitted WHERE replaces IS NOT NULL))`;

/**
 * Counts and stores a group in one statement, and so in one transaction. Messages count against their caps in their order: the first ones
 * are stored, as far as there is room. Concurrent transactions cannot answer a key twice, or count a message beyond its cap: a unique index
 * and the row of the month prevent it.
 */
const STORE_GROUP = `
WITH item AS (
  SELECT * FROM unnest(${COLUMNS.map(({ type }, index) => `$${index + 1}::${type}[]`).join(", ")})
    WITH ORDINALITY AS item (${COLUMNS.map(({ name }) => name).join(", ")}, position)
),
judged AS (
  SELECT *, CASE
    WHEN ${isThere("turns WHERE turns.request_id = item.request_id")} THEN 'stored'
    WHEN ${IS_KEY_TAKEN} THEN 'key_taken'
    WHEN NOT ${isThere("bots WHERE bots.key = item.bot")} THEN 'bot_deleted'
    WHEN budget <= (SELECT model_tokens FROM monthly_usage AS spent WHERE spent.bot_key = item.bot AND spent.month = item.month)
      OR budget <= 0 THEN 'budget_spent'
    END AS verdict
  FROM item
),
ranked AS (
  SELECT *, row_number() OVER (PARTITION BY bot, month ORDER BY position) AS place FROM judged WHERE verdict IS NULL
),
wanted AS (
  SELECT bot, month, count(*) AS turns, min(cap) AS cap FROM ranked GROUP BY bot, month
),
counted AS (
  INSERT INTO monthly_usage AS usage (bot_key, month, messages, granted)
  SELECT bot, month, least(turns, greatest(cap, 0)), least(turns, greatest(cap, 0)) FROM wanted ORDER BY bot, month
  ON CONFLICT (bot_key, month) DO UPDATE SET granted = ${ROOM}, messages = usage.messages + ${ROOM}
  RETURNING bot_key, month, granted
),
admitted AS (
  SELECT ranked.* FROM ranked JOIN counted ON counted.bot_key = ranked.bot AND counted.month = ranked.month
  WHERE place <= granted
),
begun AS (
  INSERT INTO conversations (id, bot_key, created_at)
  SELECT DISTINCT ON (conversation_id) conversation_id, bot, at FROM admitted ORDER BY conversation_id, position
  ON CONFLICT (id) DO NOTHING
),
stored AS (
  INSERT INTO turns (number, ${STORED_NAMES})
  SELECT coalesce((SELECT max(number) FROM turns AS earlier WHERE earlier.conversation_id = admitted.conversation_id), 0)
    + row_number() OVER (PARTITION BY conversation_id ORDER BY position), ${STORED_NAMES}
  FROM admitted
),
replaced AS (
  ${DELETE_REPLACED}
),
flying AS (
  INSERT INTO turns_in_flight (request_id, bot_key, month, instance_id)
  SELECT request_id, bot, month, ${INSTANCE}::text FROM admitted WHERE is_begun
),
keyed AS (
  INSERT INTO idempotency_records (embed_token_key, key_hash, body_hash, request_id, at)
  SELECT embed_token, key_hash, body_hash, request_id, at FROM admitted WHERE key_hash IS NOT NULL
)
SELECT coalesce(judged.verdict, CASE WHEN admitted.position IS NULL THEN 'cap_reached' ELSE 'stored' END) AS verdict,
  CASE judged.verdict WHEN 'stored' THEN ${BEGUN_FOR} END AS instance
FROM judged LEFT JOIN admitted ON admitted.position = judged.position ORDER BY judged.position`;

/** Of keys that are to be taken, those that have expired, but no sweep has deleted yet. */
const DELETE_EXPIRED_KEYS = `
DELETE FROM idempotency_records AS known
USING unnest($1::bigint[], $2::bytea[], $3::bigint[]) AS wanted (embed_token, key_hash, at)
WHERE known.embed_token_key = wanted.embed_token AND known.key_hash = wanted.key_hash
  AND known.at <= wanted.at - ${IDEMPOTENCY_WINDOW_MS}
  AND NOT EXISTS (SELECT FROM turns_in_flight AS flying WHERE flying.request_id = known.request_id)`;

/** Counts and stores a group. @returns a result for each message, in order. */
export async function storeGroup(
  queries: Queries,
  group: readonly GroupedTurn[],
  instance: InstanceId,
): Promise<Stored[]> {
  const rows = await queries.query<{ verdict: GroupVerdict; instance: InstanceId | null }>(STORE_GROUP, [
    ...listsOf(COLUMNS, group),
    instance,
  ]);
  return rows.map(({ verdict, instance: earlier }) => ({ verdict, instance: earlier ?? instance }));
}

/** Deletes expired records of the group's keys. */
export async function deleteExpiredKeys(queries: Queries, group: readonly GroupedTurn[]): Promise<void> {
  const keyed = group.filter(({ record }) => record.idempotencyKey !== undefined);
  const names = ["embed_token", "key_hash", "at"];
  const columns = names.map((name) => COLUMNS.find((known) => known.name === name)!);
  await queries.query(DELETE_EXPIRED_KEYS, listsOf(columns, keyed));
}

function listsOf(columns: readonly Column[], group: readonly GroupedTurn[]): Parameter[] {
  return columns.map(({ of }) => new List(group.map(of)));
}

/** Assigns the columns of an answer from the parameters starting at `$first`. */
export function answerAssignments(first: number): string {
  return ANSWER_COLUMNS.map(({ name, type }, index) => `${name} = $${first + index}::${type}`).join(", ");
}

/** The parameters of {@link answerAssignments}. */
export function answerParameters(turn: Turn): Parameter[] {
  return ANSWER_COLUMNS.map(({ of }) => of(turn));
}

const INSERT_UNCOUNTED = `
INSERT INTO turns (number, ${STORED_NAMES})
SELECT 1 + coalesce((SELECT max(number) FROM turns AS earlier WHERE earlier.conversation_id = item.conversation_id), 0), ${STORED_NAMES}
FROM unnest(${STORED.map(({ type }, index) => `$${index + 1}::${type}[]`).join(", ")}) AS item (${STORED_NAMES})`;

const INSERT_KEY =
  "INSERT INTO idempotency_records (embed_token_key, key_hash, body_hash, request_id, at) VALUES ($1, $2, $3, $4, $5)";

/** Stores a turn that is not counted, with its key, which must be free. */
export async function insertUncounted(
  queries: Queries,
  record: Pick<TurnToBegin, "bot" | "conversationId" | "turn" | "idempotencyKey">,
): Promise<void> {
  const { turn, idempotencyKey: key } = record;
  if (key) await deleteExpiredKeys(queries, [{ record, isBegun: false }]);
  await queries.query(INSERT_UNCOUNTED, listsOf(STORED, [{ record, isBegun: false }]));
  if (!key) return;
  await queries.query(INSERT_KEY, [key.embedToken, key.keyHash, key.bodyHash, turn.requestId, turn.at]);
}
