import type { Database, Statement } from "better-sqlite3";

import type { InstanceId, RequestId } from "../../domain/ids.ts";
import { type EpochMs, type Month, monthOf } from "../../domain/time.ts";
import type { BotKey } from "../interface/bots.ts";
import type { TurnKey } from "../interface/conversations.ts";

/** Bot and month in which a message is counted while its answer is awaited. */
export interface Reservation {
  turn: TurnKey;
  bot: BotKey;
  month: Month;
}

const COLUMNS = "turn_key AS turn, bot_key AS bot, month";

/** Turns whose answer is awaited. Writes are part of the caller's transaction. */
export class TurnsInFlight {
  readonly #add: Statement<[TurnKey, BotKey, Month, InstanceId]>;
  readonly #remove: Statement<[TurnKey, RequestId], Reservation>;
  readonly #removeOf: Statement<[InstanceId], Reservation>;
  readonly #removeAll: Statement<[], Reservation>;

  constructor(db: Database) {
    this.#add = db.prepare(`
      INSERT INTO turns_in_flight (turn_key, bot_key, month, instance_id) SELECT ?, ?, ?, id FROM instances WHERE id = ?`);
    this.#remove = db.prepare(`
      DELETE FROM turns_in_flight WHERE turn_key = (SELECT key FROM turns WHERE key = ? AND request_id = ?)
      RETURNING ${COLUMNS}`);
    this.#removeOf = db.prepare(`DELETE FROM turns_in_flight WHERE instance_id = ? RETURNING ${COLUMNS}`);
    this.#removeAll = db.prepare(`DELETE FROM turns_in_flight RETURNING ${COLUMNS}`);
  }

  /** @returns false if the server that owes the answer is not registered: no server would give the turn back. */
  add(turn: TurnKey, bot: BotKey, at: EpochMs, instance: InstanceId): boolean {
    return this.#add.run(turn, bot, monthOf(at), instance).changes === 1;
  }

  /**
   * Removes a turn. SQLite may use an erased turn's key again, so the request's id has to match as well.
   *
   * @returns undefined if the turn is not in flight: it was erased, has ended already, or was given back.
   */
  remove(turn: TurnKey, request: RequestId): Reservation | undefined {
    return this.#remove.get(turn, request);
  }

  /** Removes a server's turns. */
  removeOf(instance: InstanceId): Reservation[] {
    return this.#removeOf.all(instance);
  }

  /** Removes all turns. */
  removeAll(): Reservation[] {
    return this.#removeAll.all();
  }
}
