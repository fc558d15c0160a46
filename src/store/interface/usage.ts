import type { EpochMs } from "../../domain/time.ts";
import type { BotKey } from "./bots.ts";

/** What is counted of a bot in a month. */
export interface MonthlyUsage {
  messages: number;
  modelTokens: number;
}

/** Accepted messages, and tokens of models, per bot and UTC month (decisions §6). */
export interface Usage {
  /** Messages counted in the month that holds `at`. */
  read(bot: BotKey, at: EpochMs): Promise<number>;
  /** Tokens counted in the month that holds `at`. */
  readTokens(bot: BotKey, at: EpochMs): Promise<number>;
  /** Counts the tokens of the month that holds `at` from zero again. @returns how many had been counted. */
  resetTokens(bot: BotKey, at: EpochMs): Promise<number>;
}
