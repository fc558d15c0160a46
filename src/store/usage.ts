import type { Database, Statement } from "better-sqlite3";

import type { EpochMs } from "../domain/time.ts";
import { type Month, monthOf } from "../domain/time.ts";
import type { BotKey } from "./bots.ts";

/** What is counted of a bot in a month. */
export interface MonthlyUsage {
  messages: number;
  modelTokens: number;
}

/** Accepted messages, and tokens of models, per bot and UTC month (decisions §6). */
export class UsageStore {
  readonly #readAll: Statement<[string, string], MonthlyUsage & { bot: BotKey }>;
  readonly #reserve: Statement<[string, BotKey, number, number]>;
  readonly #findBot: Statement<[BotKey]>;
  readonly #giveBack: Statement<[BotKey, string]>;
  readonly #addTokens: Statement<[string, number, BotKey]>;
  readonly #read: Statement<[BotKey, string], number>;
  readonly #readTokens: Statement<[BotKey, string], number>;

  constructor(db: Database) {
    this.#reserve = db.prepare(`
      INSERT INTO monthly_usage (bot_key, month, messages) SELECT key, ?, 1 FROM bots WHERE key = ? AND ? > 0
      ON CONFLICT DO UPDATE SET messages = messages + 1 WHERE messages < ?`);
    this.#findBot = db.prepare("SELECT 1 FROM bots WHERE key = ?");
    this.#giveBack = db.prepare(
      "UPDATE monthly_usage SET messages = messages - 1 WHERE bot_key = ? AND month = ? AND messages > 0",
    );
    this.#addTokens = db.prepare(`
      INSERT INTO monthly_usage (bot_key, month, messages, model_tokens)
      SELECT key, ?, 0, ? FROM bots WHERE key = ?
      ON CONFLICT DO UPDATE SET model_tokens = model_tokens + excluded.model_tokens`);
    this.#readAll = db.prepare(`
      SELECT bot_key AS bot, messages, min(model_tokens, ${Number.MAX_SAFE_INTEGER}) AS modelTokens
      FROM json_each(?) CROSS JOIN monthly_usage ON bot_key = value AND month = ?`);
    this.#read = readMonth(db, "messages");
    this.#readTokens = readMonth(db, "model_tokens");
  }

  /** Counts one message unless the cap is reached, in one statement; part of the caller's transaction. */
  reserve(bot: BotKey, at: EpochMs, cap: number | undefined): "reserved" | "cap_reached" | "bot_deleted" {
    const limit = cap ?? Number.MAX_SAFE_INTEGER;
    if (this.#reserve.run(monthOf(at), bot, limit, limit).changes === 1) return "reserved";
    return this.#findBot.get(bot) === undefined ? "bot_deleted" : "cap_reached";
  }

  /** Takes back one message of a month; part of the caller's transaction. */
  giveBack(bot: BotKey, month: Month): void {
    this.#giveBack.run(bot, month);
  }

  /** Counts tokens that models used, if the bot is still there; part of the caller's transaction. */
  addTokens(bot: BotKey, at: EpochMs, tokens: number): void {
    this.#addTokens.run(monthOf(at), tokens, bot);
  }

  /** What is counted of these bots in the month that holds `at`; those without a count are left out. */
  readAll(bots: readonly BotKey[], at: EpochMs): Map<BotKey, MonthlyUsage> {
    const rows = this.#readAll.all(JSON.stringify(bots), monthOf(at));
    return new Map(rows.map(({ bot, messages, modelTokens }) => [bot, { messages, modelTokens }]));
  }

  /** Messages counted in the month that holds `at`. */
  read(bot: BotKey, at: EpochMs): number {
    return this.#read.get(bot, monthOf(at)) ?? 0;
  }

  /** Tokens counted in the month that holds `at`. */
  readTokens(bot: BotKey, at: EpochMs): number {
    return this.#readTokens.get(bot, monthOf(at)) ?? 0;
  }
}

function readMonth(db: Database, column: "messages" | "model_tokens") {
  return db
    .prepare<[BotKey, string], number>(`SELECT ${column} FROM monthly_usage WHERE bot_key = ? AND month = ?`)
    .pluck();
}
