import type { Database, Statement } from "better-sqlite3";

import type { RequestId } from "../domain/ids.ts";
import { type EpochMs, type Month, monthOf } from "../domain/time.ts";
import type { BotKey } from "./bots.ts";
import type { TurnKey } from "./conversations.ts";

/** Where a message is counted whose answer is still to come. */
export interface Reservation {
  bot: BotKey;
  month: Month;
}

const COLUMNS = "bot_key AS bot, month";

/** Turns whose answer is still to come. Writes are parts of the caller's transaction. */
export class TurnsInFlight {
  readonly #db: Database;
  readonly #add: Statement<[TurnKey, BotKey, Month]>;
  readonly #remove: Statement<[TurnKey, RequestId], Reservation>;

  constructor(db: Database) {
    this.#db = db;
    this.#add = db.prepare("INSERT INTO turns_in_flight (turn_key, bot_key, month) VALUES (?, ?, ?)");
    this.#remove = db.prepare(`
      DELETE FROM turns_in_flight WHERE turn_key = (SELECT key FROM turns WHERE key = ? AND request_id = ?)
      RETURNING ${COLUMNS}`);
  }

  add(turn: TurnKey, bot: BotKey, at: EpochMs): void {
    this.#add.run(turn, bot, monthOf(at));
  }

  /**
   * Takes a turn off the list. SQLite may give the key of an erased turn to a new one, so the request's id has to match as well.
   *
   * @returns undefined when the turn is not on the list: it was erased, or has ended already.
   */
  remove(turn: TurnKey, request: RequestId): Reservation | undefined {
    return this.#remove.get(turn, request);
  }

  /** Empties the list. */
  removeAll(): Reservation[] {
    return this.#db.prepare<[], Reservation>(`DELETE FROM turns_in_flight RETURNING ${COLUMNS}`).all();
  }
}
