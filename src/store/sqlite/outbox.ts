import type { Database } from "better-sqlite3";

import type {
  ClaimedDelivery,
  DeliveryOutcome,
  FailedNotices,
  ListedDelivery,
  NewDelivery,
} from "../../domain/delivery.ts";
import type { EpochMs } from "../../domain/time.ts";
import {
  type DeliveryTableRow,
  deliveryFromRow,
  COUNT_WAITING_TURNS,
  LIST_FAILED_NOTICES,
  type FailedNoticesRow,
  failedNoticesFromRow,
  IS_NOT_ON_ITS_WAY,
  type WaitingRow,
  waitingByTarget,
} from "../delivery-rows.ts";
import type { DeliveryClaim, DeliveryFilter, EventStart } from "../interface/outbox.ts";

const LIST_LETTERS = `
  SELECT DISTINCT ended_at FROM deliveries
  WHERE ended_at > ? AND channel = 'mail' AND target = ? AND state = 'delivered'`;

const SELECT_DELIVERY = `
  SELECT deliveries.*, conversations.id AS conversation_id, bots.id AS bot_id
  FROM deliveries JOIN bots ON bots.key = deliveries.bot_key LEFT JOIN conversations ON conversations.key = conversation_key`;

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

/** What teams are told of. Writes are parts of the caller's transaction. */
export class SqliteOutbox {
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
      .prepare<object, DeliveryTableRow>(
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
      .prepare<[DeliveryFilter], DeliveryTableRow>(
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
