import type { Database, Statement } from "better-sqlite3";

import type { EpochMs } from "../domain/time.ts";
import { monthOf } from "../domain/time.ts";
import type { BotKey } from "./bots.ts";

/** Accepted messages per bot and UTC month (decisions §6). */
export class UsageStore {
  readonly #reserve: Statement<[BotKey, string, number, number]>;
  readonly #read: Statement<[BotKey, string], number>;

  constructor(db: Database) {
    this.#reserve = db.prepare(`
      INSERT INTO monthly_usage (bot_key, month, messages) SELECT ?, ?, 1 WHERE ? > 0
      ON CONFLICT DO UPDATE SET messages = messages + 1 WHERE messages < ?`);
    this.#read = db
      .prepare<[BotKey, string], number>("SELECT messages FROM monthly_usage WHERE bot_key = ? AND month = ?")
      .pluck();
  }

  /** Counts one message unless the cap is reached, in one statement; part of the caller's transaction. */
  reserve(bot: BotKey, at: EpochMs, cap: number | undefined): boolean {
    const limit = cap ?? Number.MAX_SAFE_INTEGER;
    return this.#reserve.run(bot, monthOf(at), limit, limit).changes === 1;
  }

  /** Messages counted in the month that holds `at`. */
  read(bot: BotKey, at: EpochMs): number {
    return this.#read.get(bot, monthOf(at)) ?? 0;
  }
}
