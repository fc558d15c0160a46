import type { Database, Statement } from "better-sqlite3";

import { CAP_NEAR_PERCENT, type NewDelivery } from "../../domain/delivery.ts";
import type { BotId } from "../../domain/ids.ts";
import { type EpochMs, type Month, monthOf } from "../../domain/time.ts";
import type { BotKey } from "../interface/bots.ts";
import type { TurnKey } from "../interface/conversations.ts";
import type { Telling, ToldBehind } from "../interface/outbox.ts";
import { COUNT_WAITING_TURNS, OF_TURNS, type WaitingRow, waitingByTarget } from "../outbox.ts";
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
} from "./plan-events.ts";

interface KeyedTurn extends CountedTurn {
  key: TurnKey;
}

/** A row that clashes with another index was never told of: that is an error. */
const UNLESS_TOLD = `
  ON CONFLICT (target, event, subject, bot_key) WHERE event IN ('cap.near', 'turn.refused', 'turn.unmatched', 'action.done', 'action.failed') DO NOTHING`;

const ADD_TURN = `
  INSERT INTO deliveries
    (id, channel, target, event, bot_key, conversation_key, subject, state, attempts, created_at, next_at)
  SELECT @id, @channel, @target, @event, bot_key, conversations.key, request_id, 'waiting', 0, @now, @now
  FROM turns JOIN conversations ON conversations.key = conversation_key WHERE turns.key = @turn
  ${UNLESS_TOLD}`;

const ADD_CAP = `
  INSERT INTO deliveries (id, channel, target, event, bot_key, subject, state, attempts, created_at, next_at)
  VALUES (@id, @channel, @target, @event, @bot, @subject, 'waiting', 0, @now, @now) ${UNLESS_TOLD}`;

/** The newest of those that have ended are kept. */
const DELETE_ENDED = `
  DELETE FROM deliveries WHERE key IN (
    SELECT key FROM deliveries WHERE ${OF_TURNS} AND ended_at IS NOT NULL AND target = ?
    ORDER BY ended_at DESC LIMIT ? OFFSET ?)`;

/** A cap that is lowered, or stays, is told of once; one that is raised is another one. */
const NEAR_CAP = `
  SELECT cap FROM (SELECT key, limits ->> '$.monthlyMessageCap' AS cap FROM bots WHERE key = ?)
  JOIN monthly_usage ON bot_key = key AND month = ?
  WHERE messages * 100 >= cap * ${CAP_NEAR_PERCENT} AND cap > coalesce(told_cap, 0)`;

/** Puts into the outbox what counting finds. All of it is a part of the transaction that counts. */
export class EventsBehind {
  readonly #db: Database;
  readonly #botId: Statement<[BotKey], BotId>;
  readonly #nearCap: Statement<[BotKey, Month], number>;

  constructor(db: Database) {
    this.#db = db;
    this.#botId = db.prepare<[BotKey], BotId>("SELECT id FROM bots WHERE key = ?").pluck();
    this.#nearCap = db.prepare<[BotKey, Month], number>(NEAR_CAP).pluck();
  }

  tell(turns: readonly KeyedTurn[], telling: Telling): ToldBehind {
    const botIds = this.#botIdsOf(turns);
    const { deliveries, dropped } = this.#plan(turns, botIds, telling);
    const now = telling.now();
    const add = this.#db.prepare(ADD_TURN);
    for (const { turn, delivery } of deliveries) add.run({ ...delivery, turn: turn.key, now });
    this.#deleteEnded(addedByTarget(deliveries), telling.mostOfTurns);
    return { added: deliveries.length + this.#tellOfCaps(botIds, telling, now), dropped };
  }

  #plan(
    turns: readonly KeyedTurn[],
    botIds: ReadonlyMap<BotKey, BotId>,
    telling: Telling,
  ): PlannedEvents<KeyedTurn> {
    const tellable = tellableTurns(turns);
    if (tellable.length === 0) return { deliveries: [], dropped: [] };
    const rows = this.#db
      .prepare<[], { target: string; event: string; at: EpochMs }>("SELECT * FROM event_starts")
      .all();
    const starts = new Map(rows.map(({ target, event, at }) => [startName(target, event), at]));
    if (starts.size === 0) return { deliveries: [], dropped: [] };
    const waiting = waitingByTarget(this.#db.prepare<[], WaitingRow>(COUNT_WAITING_TURNS).all());
    return planTurnEvents(tellable, { botIds, starts, waiting }, telling);
  }

  #botIdsOf(turns: readonly KeyedTurn[]): Map<BotKey, BotId> {
    const keys = [...new Set(turns.map(({ bot }) => bot))];
    return new Map(
      keys.flatMap((key) => {
        const id = this.#botId.get(key);
        return id === undefined ? [] : [[key, id] as const];
      }),
    );
  }

  #deleteEnded(added: ReadonlyMap<string, number>, kept: number): void {
    if (added.size === 0) return;
    const remove = this.#db.prepare(DELETE_ENDED);
    for (const [target, count] of added) remove.run(target, GO_FOR_EACH * count, kept);
  }

  /** @returns how many deliveries were added. */
  #tellOfCaps(botIds: ReadonlyMap<BotKey, BotId>, telling: Telling, now: EpochMs): number {
    const month = monthOf(now);
    let added = 0;
    for (const [bot, recipients] of cappedRecipients(botIds, telling)) {
      const cap = this.#nearCap.get(bot, month);
      if (cap === undefined) continue;
      this.#noteCap(bot, month, cap);
      this.#addCap(bot, capSubject(month, cap), recipients, now);
      added += recipients.length;
    }
    return added;
  }

  #noteCap(bot: BotKey, month: Month, cap: number): void {
    this.#db
      .prepare("UPDATE monthly_usage SET told_cap = ? WHERE bot_key = ? AND month = ?")
      .run(cap, bot, month);
  }

  #addCap(bot: BotKey, subject: string, recipients: readonly NewDelivery[], now: EpochMs): void {
    const add = this.#db.prepare(ADD_CAP);
    for (const recipient of recipients) add.run({ ...recipient, bot, subject, now });
  }
}
