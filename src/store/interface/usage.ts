import type { EpochMs } from "../../domain/time.ts";
import type { BotKey } from "./bots.ts";

/** A bot's usage in a month. */
export interface MonthlyUsage {
  messages: number;
  modelTokens: number;
}

/** Accepted messages, and tokens of models, per bot and UTC month. */
export interface Usage {
  /** Messages counted in the month that holds `at`. */
  read(bot: BotKey, at: EpochMs): Promise<number>;
  /** Tokens counted in the month that holds `at`. */
  readTokens(bot: BotKey, at: EpochMs): Promise<number>;
  /** Resets the token count of the month that holds `at`. @returns the count before. */
  resetTokens(bot: BotKey, at: EpochMs): Promise<number>;
}
