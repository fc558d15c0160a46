import type { Turn } from "../../domain/conversation.ts";
import type { InstanceId } from "../../domain/ids.ts";
import { monthOf } from "../../domain/time.ts";
import { IDEMPOTENCY_WINDOW_MS } from "../idempotency.ts";
import type { TurnToBegin } from "../turn-store.ts";
import { List, type Parameter, type Queries } from "./connection.ts";
import { storableJson, storableText } from "./storable.ts";

/** A message to be stored: with its answer, or before it is asked for. */
export interface GroupedTurn {
  record: TurnToBegin;
  isBegun: boolean;
}

/** What came of one of a group. `stored`: it is there, perhaps since an attempt whose answer was lost. */
export type GroupVerdict = "stored" | "key_taken" | "bot_deleted" | "budget_spent" | "cap_reached";

/** A verdict, and the server that the turn is in flight for. */
export interface Stored {
  verdict: GroupVerdict;
  instance: InstanceId;
}

/** PostgreSQL's types of the lists that the statement takes. */
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

/** What a turn is stored with, in the table as in the statement. */
const TURN_COLUMNS: readonly Column[] = [
  ofTurn("request_id", "TEXT", (turn) => turn.requestId),
  column("conversation_id", "TEXT", ({ record }) => record.conversationId),
  ofTurn("bot_version", "BIGINT", (turn) => turn.botVersion),
  ofTurn("at", "BIGINT", (turn) => turn.at),
  ofTurn("input", "TEXT", (turn) => storableText(turn.input)),
];

/** What the answer adds, in the order in which `finishTurn` writes it as well. */
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

/** What decides whether it is stored. */
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

/** As `EXISTS`, but always looked up by an index for each of the group: never by reading the whole table once, however small it was once. */
function isThere(rows: string): string {
  return `(SELECT true FROM ${rows} LIMIT 1) IS NOT NULL`;
}

/** Of the same key, the first of a group has it; an earlier one, as long as it is remembered, or its answer is still to come. */
const IS_KEY_TAKEN = `
  key_hash IS NOT NULL AND (
    row_number() OVER (PARTITION BY embed_token, key_hash ORDER BY position) > 1
    OR ${isThere(`
      idempotency_records AS known
      WHERE known.embed_token_key = item.embed_token AND known.key_hash = item.key_hash AND (
        known.at > item.at - ${IDEMPOTENCY_WINDOW_MS}
        OR EXISTS (SELECT FROM turns_in_flight AS flying WHERE flying.request_id = known.request_id))`)})`;

/** How many of the messages that are asked for there is room for. */
const ROOM = `(SELECT least(wanted.turns, greatest(wanted.cap - usage.messages, 0)) FROM wanted
      WHERE wanted.bot = excluded.bot_key AND wanted.month = excluded.month)`;

/** Of a turn that an earlier attempt has begun: the server by the name that it had then. None, where it was taken for dead since. */
const BEGUN_FOR = `coalesce((SELECT instance_id FROM turns_in_flight AS flying WHERE flying.request_id = judged.request_id), '')`;

/** By the place of each row: of a join, a plan could read the whole table for every group, though hardly ever is one replaced. */
const DELETE_REPLACED = `
  DELETE FROM turns WHERE ctid = ANY (ARRAY(
    SELECT (SELECT ctid FROM turns AS earlier WHERE earlier.request_id = admitted.replaces AND earlier.state = 'unanswered' LIMIT 1)
    FROM admitted WHERE replaces IS NOT NULL))`;

/**
 * Counts and stores a group, in one statement and so in one transaction. Messages count against their caps in their order: the first for
 * which there is room are in. Whatever another transaction does at the same time, a unique index or the row of the month sees to it that
 * no key is answered twice, and no message counted beyond its cap.
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

/** Of keys that are to be taken, those whose time has run out, and which no sweep has deleted yet. */
const DELETE_EXPIRED_KEYS = `
DELETE FROM idempotency_records AS known
USING unnest($1::bigint[], $2::bytea[], $3::bigint[]) AS wanted (embed_token, key_hash, at)
WHERE known.embed_token_key = wanted.embed_token AND known.key_hash = wanted.key_hash
  AND known.at <= wanted.at - ${IDEMPOTENCY_WINDOW_MS}
  AND NOT EXISTS (SELECT FROM turns_in_flight AS flying WHERE flying.request_id = known.request_id)`;

/** Counts and stores a group. @returns what came of each, in order. */
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

/** Makes room for keys that were remembered once. */
export async function deleteExpiredKeys(queries: Queries, group: readonly GroupedTurn[]): Promise<void> {
  const keyed = group.filter(({ record }) => record.idempotencyKey !== undefined);
  const names = ["embed_token", "key_hash", "at"];
  const columns = names.map((name) => COLUMNS.find((known) => known.name === name)!);
  await queries.query(DELETE_EXPIRED_KEYS, listsOf(columns, keyed));
}

function listsOf(columns: readonly Column[], group: readonly GroupedTurn[]): Parameter[] {
  return columns.map(({ of }) => new List(group.map(of)));
}

/** Sets the columns of an answer to the parameters from `$first` on. */
export function answerAssignments(first: number): string {
  return ANSWER_COLUMNS.map(({ name, type }, index) => `${name} = $${first + index}::${type}`).join(", ");
}

/** What {@link answerAssignments} takes. */
export function answerParameters(turn: Turn): Parameter[] {
  return ANSWER_COLUMNS.map(({ of }) => of(turn));
}

const INSERT_UNCOUNTED = `
INSERT INTO turns (number, ${STORED_NAMES})
SELECT 1 + coalesce((SELECT max(number) FROM turns AS earlier WHERE earlier.conversation_id = item.conversation_id), 0), ${STORED_NAMES}
FROM unnest(${STORED.map(({ type }, index) => `$${index + 1}::${type}[]`).join(", ")}) AS item (${STORED_NAMES})`;

const INSERT_KEY =
  "INSERT INTO idempotency_records (embed_token_key, key_hash, body_hash, request_id, at) VALUES ($1, $2, $3, $4, $5)";

/** Stores a turn whose message is not counted, with its key, which has to be free. */
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
