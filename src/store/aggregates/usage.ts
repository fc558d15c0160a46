import type { BotId } from "../../domain/ids.ts";
import { type EpochMs, monthOf } from "../../domain/time.ts";
import { tokensResetOf } from "../changes/noted-changes.ts";
import type { BotKey } from "../interface/bots.ts";
import type { MonthlyUsage } from "../interface/usage.ts";
import { among, FOR_UPDATE, sql } from "../sql/sql.ts";
import { all, type Engine, first, run, type Work } from "../sql/work.ts";
import type { SqlChanges } from "./changes.ts";

/** A version of Parley before this one could store larger counts, which a JavaScript number cannot hold exactly. */
const MAX_TOKENS = Number.MAX_SAFE_INTEGER;

/** Accepted messages, and tokens of models, per bot and UTC month, for operators. Counting itself is in each engine. */
export class SqlUsage {
  readonly #engine: Engine;
  readonly #changes: Pick<SqlChanges, "append">;

  constructor(engine: Engine, changes: Pick<SqlChanges, "append">) {
    this.#engine = engine;
    this.#changes = changes;
  }

  /** Messages counted in the month that holds `at`. */
  async read(bot: BotKey, at: EpochMs): Promise<number> {
    return (await this.readAll([bot], at)).get(bot)?.messages ?? 0;
  }

  /** Tokens counted in the month that holds `at`. */
  async readTokens(bot: BotKey, at: EpochMs): Promise<number> {
    return (await this.readAll([bot], at)).get(bot)?.modelTokens ?? 0;
  }

  /** The usage of these bots in the month that holds `at`; bots without usage are left out. */
  async readAll(bots: readonly BotKey[], at: EpochMs): Promise<Map<BotKey, MonthlyUsage>> {
    const statement = sql`
      SELECT bot_key AS bot, messages, model_tokens AS "modelTokens" FROM monthly_usage
      WHERE bot_key IN ${among(bots)} AND month = ${monthOf(at)}`;
    const rows = await this.#engine.read(() => all<MonthlyUsage & { bot: BotKey }>(statement));
    return new Map(
      rows.map(({ bot, messages, modelTokens }) => [
        bot,
        { messages, modelTokens: Math.min(modelTokens, MAX_TOKENS) },
      ]),
    );
  }

  /** Resets the token count of the month that holds `at`. @returns the count before. */
  resetTokens(bot: BotKey, at: EpochMs): Promise<number> {
    return this.#engine.write(() => this.#resetTokens(bot, at));
  }

  *#resetTokens(bot: BotKey, at: EpochMs): Work<number> {
    const month = monthOf(at);
    const row = yield* first<{ tokens: number; id: BotId }>(sql`
      SELECT model_tokens AS tokens, (SELECT id FROM bots WHERE key = bot_key) AS id
      FROM monthly_usage WHERE bot_key = ${bot} AND month = ${month} ${FOR_UPDATE}`);
    if (!row) return 0;
    const tokens = Math.min(row.tokens, MAX_TOKENS);
    yield* run(sql`UPDATE monthly_usage SET model_tokens = 0 WHERE bot_key = ${bot} AND month = ${month}`);
    yield* this.#changes.append(tokensResetOf(row.id, month, tokens));
    return tokens;
  }
}
