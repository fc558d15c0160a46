import type { Database } from "better-sqlite3";

import type {
  ClaimedDelivery,
  DueDelivery,
  DeliveryOutcome,
  FailedNotices,
  ListedDelivery,
  NewDelivery,
} from "../domain/delivery.ts";
import type { EpochMs } from "../domain/time.ts";
import type { DeliveryClaim, DeliveryFilter, EventStart } from "./interface/outbox.ts";

/** A delivery as both engines give it. */
export interface DeliveryRow extends Pick<
  ListedDelivery,
  "id" | "channel" | "target" | "event" | "subject" | "state"
> {
  bot_id: DueDelivery["botId"];
  conversation_id: NonNullable<DueDelivery["conversationId"]> | null;
  attempts: number;
  created_at: number;
  next_at: number | null;
  ended_at: number | null;
  error: string | null;
}

export function deliveryFromRow(row: DeliveryRow): ListedDelivery {
  const { id, channel, target, event, subject, state, attempts } = row;
  return {
    id,
    channel,
    target,
    event,
    subject,
    state,
    attempts,
    botId: row.bot_id,
    createdAt: row.created_at,
    ...(row.conversation_id !== null && { conversationId: row.conversation_id }),
    ...(row.next_at !== null && { nextAt: row.next_at }),
    ...(row.ended_at !== null && { endedAt: row.ended_at }),
    ...(row.error !== null && { error: row.error }),
  };
}

const LIST_LETTERS = `
  SELECT DISTINCT ended_at FROM deliveries
  WHERE ended_at > ? AND channel = 'mail' AND target = ? AND state = 'delivered'`;

const SELECT_DELIVERY = `
  SELECT deliveries.*, conversations.id AS conversation_id, bots.id AS bot_id
  FROM deliveries JOIN bots ON bots.key = deliveries.bot_key LEFT JOIN conversations ON conversations.key = conversation_key`;

/** Events of turns, as the indexes of them say it. */
export const OF_TURNS = "event IN ('turn.refused', 'turn.unmatched', 'action.done', 'action.failed')";

export const COUNT_WAITING_TURNS = `
  SELECT target, count(*) AS waiting FROM deliveries WHERE ${OF_TURNS} AND next_at IS NOT NULL GROUP BY target`;

/** One that was held back was not tried; one that is being tried again has no error, and failed before. */
export const LIST_FAILED_NOTICES = `
  SELECT channel, target, state, count(*) AS notices, min(created_at) AS since, max(error) AS error FROM (
    SELECT channel, target, deliveries.state, deliveries.created_at, error FROM deliveries JOIN bots ON bots.key = bot_key
    WHERE event = 'handoff.requested' AND next_at IS NOT NULL AND (attempts > 1 OR (attempts = 1 AND error IS NOT NULL))
    UNION ALL
    SELECT channel, target, deliveries.state, deliveries.created_at, error
    FROM deliveries JOIN bots ON bots.key = bot_key JOIN handoffs ON handoffs.id = subject
    WHERE event = 'handoff.requested' AND deliveries.state = 'given-up' AND handoffs.state <> 'closed'
  ) AS failed GROUP BY channel, target, state ORDER BY since`;

/** A row of {@link LIST_FAILED_NOTICES}. */
export type FailedNoticesRow = Omit<FailedNotices, "error"> & { error: string | null };

export function failedNoticesFromRow({ error, ...notices }: FailedNoticesRow): FailedNotices {
  return error === null ? notices : { ...notices, error };
}

/** Each only where it is asked for, so that an index can serve it. */
const FILTERS = [
  { name: "state", condition: "state = @state" },
  { name: "event", condition: "event = @event" },
  { name: "bot", condition: "deliveries.bot_key = (SELECT key FROM bots WHERE id = @bot)" },
  {
    name: "conversation",
    condition: "conversation_key = (SELECT key FROM conversations WHERE id = @conversation)",
  },
  { name: "before", condition: "deliveries.id < @before" },
] as const;

/** One whose first try is under way does not count: it may have read already what it tells of. */
export const IS_NOT_ON_ITS_WAY = "state = 'waiting' AND (attempts = 0 OR error IS NOT NULL)";

/** What teams are told of. Writes are parts of the caller's transaction. */
export class OutboxTable {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** @param told what of the conversation they tell of. */
  add(
    deliveries: readonly NewDelivery[],
    told: { conversationId: string; subject: string; at: EpochMs },
  ): void {
    const insert = this.#db.prepare(`
      INSERT INTO deliveries (id, channel, target, event, bot_key, conversation_key, subject, state, attempts, created_at, next_at)
      SELECT ?, ?, ?, ?, bot_key, key, ?, 'waiting', 0, ?, ? FROM conversations WHERE id = ?`);
    const { conversationId, subject, at } = told;
    for (const { id, channel, target, event } of deliveries) {
      insert.run(id, channel, target, event, subject, at, at, conversationId);
    }
  }

  /** The same, for those of which none of the same event and target waits for its next try: what it tells of is read then. */
  addOnce(
    deliveries: readonly NewDelivery[],
    told: { conversationId: string; subject: string; at: EpochMs },
  ): void {
    const waits = this.#db.prepare(`
      SELECT 1 FROM deliveries JOIN conversations ON conversations.key = conversation_key
      WHERE conversations.id = ? AND subject = ? AND event = ? AND channel = ? AND target = ? AND ${IS_NOT_ON_ITS_WAY}`);
    const { conversationId, subject } = told;
    const isNew = ({ event, channel, target }: NewDelivery) =>
      waits.get(conversationId, subject, event, channel, target) === undefined;
    this.add(deliveries.filter(isNew), told);
  }

  isDue({ event, now }: DeliveryClaim): boolean {
    const due = this.#db.prepare(
      "SELECT 1 FROM deliveries JOIN bots ON bots.key = bot_key WHERE event = ? AND next_at <= ? LIMIT 1",
    );
    return due.get(event, now) !== undefined;
  }

  claim({ event, now, leaseMs, limit, to }: DeliveryClaim): ClaimedDelivery[] {
    const due = this.#db
      .prepare<object, DeliveryRow>(
        `${SELECT_DELIVERY} WHERE event = @event AND next_at <= @now
         ${to ? "AND channel = @channel AND target = @target" : ""} ORDER BY next_at LIMIT @limit`,
      )
      .all({ event, now, limit, ...to });
    const take = this.#db.prepare(
      "UPDATE deliveries SET next_at = ?, attempts = attempts + 1, error = NULL WHERE id = ?",
    );
    const leaseEndsAt = now + leaseMs;
    for (const { id } of due) take.run(leaseEndsAt, id);
    return due.map((row) => ({ ...deliveryFromRow({ ...row, attempts: row.attempts + 1 }), leaseEndsAt }));
  }

  listLetters(address: string, since: EpochMs): EpochMs[] {
    return this.#db.prepare<[number, string], number>(LIST_LETTERS).pluck().all(since, address);
  }

  settle(
    { id, leaseEndsAt }: Pick<ClaimedDelivery, "id" | "leaseEndsAt">,
    { state, at, nextAt, wasHeldBack, error }: DeliveryOutcome,
  ): void {
    this.#db
      .prepare(
        "UPDATE deliveries SET state = ?, next_at = ?, ended_at = ?, error = ?, attempts = attempts - ? WHERE id = ? AND next_at = ?",
      )
      .run(
        state,
        nextAt ?? null,
        state === "waiting" ? null : at,
        error ?? null,
        Number(wasHeldBack ?? false),
        id,
        leaseEndsAt,
      );
  }

  list(filter: DeliveryFilter): ListedDelivery[] {
    const asked = FILTERS.filter(({ name }) => filter[name] !== undefined);
    const where = ["true", ...asked.map(({ condition }) => condition)].join(" AND ");
    return this.#db
      .prepare<[DeliveryFilter], DeliveryRow>(
        `${SELECT_DELIVERY} WHERE ${where} ORDER BY deliveries.id DESC LIMIT @limit`,
      )
      .all(filter)
      .map(deliveryFromRow);
  }

  resend(id: string, now: EpochMs): boolean {
    const changed = this.#db
      .prepare(
        "UPDATE deliveries SET state = 'waiting', attempts = 0, next_at = ?, ended_at = NULL WHERE id = ?",
      )
      .run(now, id);
    return changed.changes > 0;
  }

  hasEnded(before: EpochMs): boolean {
    return this.#db.prepare("SELECT 1 FROM deliveries WHERE ended_at < ? LIMIT 1").get(before) !== undefined;
  }

  deleteEnded(before: EpochMs, limit: number): number {
    return this.#db
      .prepare("DELETE FROM deliveries WHERE key IN (SELECT key FROM deliveries WHERE ended_at < ? LIMIT ?)")
      .run(before, limit).changes;
  }

  startTelling(starts: readonly EventStart[], at: EpochMs): void {
    const insert = this.#db.prepare(
      "INSERT OR IGNORE INTO event_starts (target, event, at) VALUES (?, ?, ?)",
    );
    for (const { target, event } of starts) insert.run(target, event, at);
  }

  listFailedNotices(): FailedNotices[] {
    return this.#db.prepare<[], FailedNoticesRow>(LIST_FAILED_NOTICES).all().map(failedNoticesFromRow);
  }

  countWaitingTurns(): Map<string, number> {
    return waitingByTarget(this.#db.prepare<[], WaitingRow>(COUNT_WAITING_TURNS).all());
  }
}

/** A row of {@link COUNT_WAITING_TURNS}. */
export interface WaitingRow {
  target: string;
  waiting: number;
}

export function waitingByTarget(rows: readonly WaitingRow[]): Map<string, number> {
  return new Map(rows.map(({ target, waiting }) => [target, waiting]));
}
