import type { Database, Statement } from "better-sqlite3";

import { type EpochMs, type Month, monthOf } from "../../domain/time.ts";
import type { BotKey } from "../interface/bots.ts";
import type { GroupMember } from "./commit-queue.ts";

/** A version of Parley before this one could store larger counts, which a JavaScript number cannot hold exactly. */
const MAX_TOKENS = Number.MAX_SAFE_INTEGER;

/** A bot's count of a month within a group of messages. */
interface GroupCount {
  readonly bot: BotKey;
  readonly month: Month;
  /** The count before the group. */
  readonly before: number;
  added: number;
}

/**
 * Counts accepted messages, and tokens of models, per bot and UTC month. Reservations of a group commit are collected, and
 * written once for each bot. The count stays exact, because the transaction locks out all other writers.
 */
export class SqliteUsage implements GroupMember {
  readonly #add: Statement<[BotKey, Month, number]>;
  readonly #findBot: Statement<[BotKey]>;
  readonly #giveBack: Statement<[BotKey, string]>;
  readonly #addTokens: Statement<[string, number, BotKey]>;
  readonly #read: Statement<[BotKey, string], number>;
  readonly #readTokens: Statement<[BotKey, string], number>;
  readonly #counts = new Map<string, GroupCount>();

  constructor(db: Database) {
    this.#add = db.prepare(`
      INSERT INTO monthly_usage (bot_key, month, messages) VALUES (?, ?, ?)
      ON CONFLICT DO UPDATE SET messages = messages + excluded.messages`);
    this.#findBot = db.prepare("SELECT 1 FROM bots WHERE key = ?");
    this.#giveBack = db.prepare(
      "UPDATE monthly_usage SET messages = messages - 1 WHERE bot_key = ? AND month = ? AND messages > 0",
    );
    this.#addTokens = db.prepare(`
      INSERT INTO monthly_usage (bot_key, month, messages, model_tokens)
      SELECT key, ?, 0, ? FROM bots WHERE key = ?
      ON CONFLICT DO UPDATE SET model_tokens = min(model_tokens + excluded.model_tokens, ${MAX_TOKENS})`);
    this.#read = readMonth(db, "messages");
    this.#readTokens = readMonth(db, "model_tokens");
  }

  openGroup(): void {
    this.#counts.clear();
  }

  closeGroup(): void {
    for (const { bot, month, added } of this.#counts.values())
      if (added > 0) this.#add.run(bot, month, added);
    this.#counts.clear();
  }

  /** Counts one message unless the cap is reached; part of a group, which writes it when it closes. */
  reserve(bot: BotKey, at: EpochMs, cap: number | undefined): "reserved" | "cap_reached" | "bot_deleted" {
    const count = this.#countOf(bot, monthOf(at));
    if (!count) return "bot_deleted";
    if (cap !== undefined && count.before + count.added >= cap) return "cap_reached";
    count.added += 1;
    return "reserved";
  }

  /** @returns undefined if the bot is gone. */
  #countOf(bot: BotKey, month: Month): GroupCount | undefined {
    const name = `${bot} ${month}`;
    const known = this.#counts.get(name);
    if (known) return known;
    const before = this.#read.get(bot, month);
    if (before === undefined && this.#findBot.get(bot) === undefined) return undefined;
    const count = { bot, month, before: before ?? 0, added: 0 };
    this.#counts.set(name, count);
    return count;
  }

  /** Uncounts one message of a month; part of the caller's transaction. */
  giveBack(bot: BotKey, month: Month): void {
    this.closeGroup();
    this.#giveBack.run(bot, month);
  }

  /** Counts tokens that models used, if the bot still exists; part of the caller's transaction. */
  addTokens(bot: BotKey, at: EpochMs, tokens: number): void {
    this.#addTokens.run(monthOf(at), tokens, bot);
  }

  /** Tokens counted in the month that holds `at`. */
  readTokens(bot: BotKey, at: EpochMs): number {
    return this.#readTokens.get(bot, monthOf(at)) ?? 0;
  }
}

function readMonth(db: Database, column: "messages" | "model_tokens") {
  return db
    .prepare<[BotKey, string], number>(
      `SELECT min(${column}, ${MAX_TOKENS}) FROM monthly_usage WHERE bot_key = ? AND month = ?`,
    )
    .pluck();
}
