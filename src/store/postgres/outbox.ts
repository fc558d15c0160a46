import type {
  ClaimedDelivery,
  DeliveryOutcome,
  FailedNotices,
  ListedDelivery,
  NewDelivery,
} from "../../domain/delivery.ts";
import type { EpochMs } from "../../domain/time.ts";
import {
  COUNT_WAITING_TURNS,
  type DeliveryTableRow,
  deliveryFromRow,
  failedNoticesFromRow,
  type FailedNoticesRow,
  IS_NOT_ON_ITS_WAY,
  LIST_FAILED_NOTICES,
  type WaitingRow,
  waitingByTarget,
} from "../delivery-rows.ts";
import type { DeliveryClaim, DeliveryFilter, EventStart, Outbox } from "../interface/outbox.ts";
import { List, type Queries } from "./connection.ts";
import type { Pool } from "./pool.ts";

const COLUMNS = `
deliveries.id, channel, target, event, subject, state, attempts::float8 AS attempts,
conversations.id AS conversation_id, bots.id AS bot_id, deliveries.created_at::float8 AS created_at,
next_at::float8 AS next_at, ended_at::float8 AS ended_at, error`;
const namesOf = (table: string) =>
  `JOIN bots ON bots.key = ${table}.bot_key LEFT JOIN conversations ON conversations.id = conversation_id`;

const INSERT = `
INSERT INTO deliveries (id, channel, target, event, bot_key, conversation_id, subject, state, attempts, created_at, next_at)
SELECT $1, $2, $3, $4, bot_key, id, $6, 'waiting', 0, $7, $7 FROM conversations WHERE id = $5`;

const WAITS = `
SELECT 1 FROM deliveries
WHERE conversation_id = $1 AND subject = $2 AND event = $3 AND channel = $4 AND target = $5 AND ${IS_NOT_ON_ITS_WAY}`;

/** Rows that another server takes at this moment are left to it. */
const CLAIM = `
WITH due AS (
  SELECT key FROM deliveries
  WHERE event = $4 AND next_at <= $1 AND ($5::text IS NULL OR channel = $5) AND ($6::text IS NULL OR target = $6) ORDER BY next_at LIMIT $3 FOR UPDATE SKIP LOCKED
), taken AS (
  UPDATE deliveries SET next_at = $1::bigint + $2::bigint, attempts = attempts + 1, error = NULL WHERE key IN (SELECT key FROM due) RETURNING *
)
SELECT ${COLUMNS.replaceAll("deliveries.", "taken.")} FROM taken ${namesOf("taken")} ORDER BY taken.created_at`;

/** Each only where it is asked for, so that an index can serve it. */
const FILTERS = {
  state: (value: string) => `state = ${value}`,
  event: (value: string) => `event = ${value}`,
  bot: (value: string) => `deliveries.bot_key = (SELECT key FROM bots WHERE id = ${value})`,
  conversation: (value: string) => `conversation_id = ${value}`,
  before: (value: string) => `deliveries.id < ${value}`,
};
const FILTER_NAMES = Object.keys(FILTERS) as (keyof typeof FILTERS)[];

/** Adds deliveries in the transaction of what they tell of. */
export async function addDeliveries(
  queries: Queries,
  deliveries: readonly NewDelivery[],
  { conversationId, subject, at }: { conversationId: string; subject: string; at: EpochMs },
): Promise<void> {
  for (const { id, channel, target, event } of deliveries) {
    await queries.query(INSERT, [id, channel, target, event, conversationId, subject, at]);
  }
}

/** The same, for those of which none of the same event and target waits for its next try: what it tells of is read then. */
export async function addDeliveriesOnce(
  queries: Queries,
  deliveries: readonly NewDelivery[],
  told: { conversationId: string; subject: string; at: EpochMs },
): Promise<void> {
  const { conversationId, subject } = told;
  for (const delivery of deliveries) {
    const { event, channel, target } = delivery;
    const waiting = await queries.query(WAITS, [conversationId, subject, event, channel, target]);
    if (waiting.length === 0) await addDeliveries(queries, [delivery], told);
  }
}

/** What teams are told of. */
export class PostgresOutbox implements Outbox {
  readonly #pool: Pool;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  async claim({ event, now, leaseMs, limit, to }: DeliveryClaim): Promise<ClaimedDelivery[]> {
    const claim = [now, leaseMs, limit, event, to?.channel ?? null, to?.target ?? null];
    const taken = await this.#pool.query<DeliveryTableRow>(CLAIM, claim);
    return taken.map((row) => ({ ...deliveryFromRow(row), leaseEndsAt: now + leaseMs }));
  }

  async listLetters(address: string, since: EpochMs): Promise<EpochMs[]> {
    const rows = await this.#pool.query<{ at: number }>(
      `SELECT DISTINCT ended_at::float8 AS at FROM deliveries
       WHERE ended_at > $1 AND channel = 'mail' AND target = $2 AND state = 'delivered'`,
      [since, address],
    );
    return rows.map(({ at }) => at);
  }

  async settle(
    { id, leaseEndsAt }: Pick<ClaimedDelivery, "id" | "leaseEndsAt">,
    { state, at, nextAt, wasHeldBack, error }: DeliveryOutcome,
  ): Promise<void> {
    await this.#pool.query(
      "UPDATE deliveries SET state = $2, next_at = $3, ended_at = $4, error = $5, attempts = attempts - $6::bigint WHERE id = $1 AND next_at = $7",
      [
        id,
        state,
        nextAt ?? null,
        state === "waiting" ? null : at,
        error ?? null,
        Number(wasHeldBack ?? false),
        leaseEndsAt,
      ],
    );
  }

  async list({ limit, ...filter }: DeliveryFilter): Promise<ListedDelivery[]> {
    const asked = FILTER_NAMES.filter((name) => filter[name] !== undefined);
    const conditions = asked.map((name, at) => FILTERS[name](`$${at + 2}::text`));
    const rows = await this.#pool.query<DeliveryTableRow>(
      `SELECT ${COLUMNS} FROM deliveries ${namesOf("deliveries")} WHERE ${["true", ...conditions].join(" AND ")}
       ORDER BY deliveries.id DESC LIMIT $1`,
      [limit, ...asked.map((name) => filter[name]!)],
    );
    return rows.map(deliveryFromRow);
  }

  async resend(id: string, now: EpochMs): Promise<boolean> {
    const changed = await this.#pool.query(
      "UPDATE deliveries SET state = 'waiting', attempts = 0, next_at = $2, ended_at = NULL WHERE id = $1 RETURNING id",
      [id, now],
    );
    return changed.length > 0;
  }

  async deleteEnded(before: EpochMs, limit: number): Promise<number> {
    const deleted = await this.#pool.query(
      "DELETE FROM deliveries WHERE key IN (SELECT key FROM deliveries WHERE ended_at < $1 LIMIT $2) RETURNING key",
      [before, limit],
    );
    return deleted.length;
  }

  async startTelling(starts: readonly EventStart[], at: EpochMs): Promise<void> {
    await this.#pool.query(START_TELLING, [
      new List(starts.map(({ target }) => target)),
      new List(starts.map(({ event }) => event)),
      at,
    ]);
  }

  async listFailedNotices(): Promise<FailedNotices[]> {
    const sql = LIST_FAILED_NOTICES.replace("count(*)", "count(*)::float8").replace(
      "min(created_at)",
      "min(created_at)::float8",
    );
    return (await this.#pool.query<FailedNoticesRow>(sql)).map(failedNoticesFromRow);
  }

  async countWaitingTurns(): Promise<Map<string, number>> {
    return readWaitingTurns(this.#pool);
  }
}

/** How many events of turns wait, by webhook. */
export async function readWaitingTurns(queries: Queries): Promise<Map<string, number>> {
  return waitingByTarget(
    await queries.query<WaitingRow>(COUNT_WAITING_TURNS.replace("count(*)", "count(*)::float8")),
  );
}

const START_TELLING = `
INSERT INTO event_starts (target, event, at)
SELECT target, event, $3 FROM unnest($1::text[], $2::text[]) AS item (target, event) ON CONFLICT DO NOTHING`;
