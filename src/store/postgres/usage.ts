import type { BotId } from "../../domain/ids.ts";
import { type EpochMs, monthOf } from "../../domain/time.ts";
import { tokensResetOf } from "../changes/noted-changes.ts";
import type { BotKey } from "../interface/bots.ts";
import type { MonthlyUsage, Usage } from "../interface/usage.ts";
import type { PostgresChanges } from "./changes.ts";
import { List, type Queries } from "./connection.ts";
import type { Pool } from "./pool.ts";

const READ = `
SELECT bot_key::float8 AS bot, messages::float8 AS messages, model_tokens::float8 AS "modelTokens"
FROM monthly_usage WHERE bot_key = ANY($1::bigint[]) AND month = $2`;

/** Accepted messages, and tokens of models, per bot and UTC month (decisions §6). */
export class PostgresUsage implements Usage {
  readonly #pool: Pool;
  readonly #changes: PostgresChanges;

  constructor(pool: Pool, changes: PostgresChanges) {
    this.#pool = pool;
    this.#changes = changes;
  }

  async read(bot: BotKey, at: EpochMs): Promise<number> {
    return (await readUsage(this.#pool, [bot], at)).get(bot)?.messages ?? 0;
  }

  async readTokens(bot: BotKey, at: EpochMs): Promise<number> {
    return (await readUsage(this.#pool, [bot], at)).get(bot)?.modelTokens ?? 0;
  }

  resetTokens(bot: BotKey, at: EpochMs): Promise<number> {
    return this.#pool.transaction(async (queries) => {
      const month = monthOf(at);
      const [row] = await queries.query<{ tokens: number; id: BotId }>(
        `SELECT model_tokens::float8 AS tokens, (SELECT id FROM bots WHERE key = bot_key) AS id
         FROM monthly_usage WHERE bot_key = $1 AND month = $2 FOR UPDATE`,
        [bot, month],
      );
      if (!row) return 0;
      await queries.query("UPDATE monthly_usage SET model_tokens = 0 WHERE bot_key = $1 AND month = $2", [
        bot,
        month,
      ]);
      await this.#changes.append(queries, tokensResetOf(row.id, month, row.tokens));
      return row.tokens;
    });
  }
}

/** What is counted of these bots in the month that holds `at`; those without a count are left out. */
export async function readUsage(
  queries: Queries,
  bots: readonly BotKey[],
  at: EpochMs,
): Promise<Map<BotKey, MonthlyUsage>> {
  const rows = await queries.query<MonthlyUsage & { bot: BotKey }>(READ, [new List(bots), monthOf(at)]);
  return new Map(rows.map(({ bot, messages, modelTokens }) => [bot, { messages, modelTokens }]));
}
