import { type ConversationHistory, HISTORY_TURNS, type PastTurn } from "../../domain/conversation.ts";
import type { ConversationId } from "../../domain/ids.ts";
import type { EpochMs } from "../../domain/time.ts";
import type { BotKey } from "../interface/bots.ts";
import { type PastTurnRow, toPastTurn } from "../turn-rows.ts";
import { List, type Queries } from "./connection.ts";
import { Grouped } from "./grouped.ts";
import type { Pool } from "./pool.ts";

/** A conversation that a message goes on with. */
interface Wanted {
  id: string;
  bot: BotKey;
}

/** Groups of reads on their way at the same time. */
const READ_LANES = 2;

/** Columns of a turn, for `toPastTurn`. */
export const PAST_TURN_COLUMNS = `
  request_id AS key, request_id, at::float8 AS at, state, input, response, intent,
  response_index::float8 AS response_index, capability_allowed::int4 AS capability_allowed`;

const READ_HISTORIES = `
SELECT wanted.position::int4 AS position, latest.*
FROM unnest($1::text[], $2::bigint[]) WITH ORDINALITY AS wanted (id, bot, position)
CROSS JOIN LATERAL (
  SELECT id FROM conversations WHERE conversations.id = wanted.id AND conversations.bot_key = wanted.bot LIMIT 1
) AS found
CROSS JOIN LATERAL (
  SELECT ${PAST_TURN_COLUMNS}, number,
    CASE WHEN intent IS NULL OR intent = 'social.help' THEN receipt::json ->> 'suggestions' END AS suggestions
  FROM turns WHERE conversation_id = found.id ORDER BY turns.number DESC LIMIT ${HISTORY_TURNS}
) AS latest
ORDER BY wanted.position, latest.number`;

/** Reads conversations in groups: what is asked for while a group is on its way shares the next. */
export class Histories {
  readonly #groups: Grouped<Wanted, PastTurn[]>;

  constructor(pool: Pool) {
    this.#groups = new Grouped({
      run: (wanted) => readHistories(pool, wanted),
      lanes: READ_LANES,
      isOfOneItem: () => false,
    });
  }

  /** The conversation, if it is this bot's and had a turn at or after `notBefore`. */
  async find(id: string, bot: BotKey, notBefore: EpochMs): Promise<ConversationHistory | undefined> {
    const turns = await this.#groups.add({ id, bot });
    const latest = turns.at(-1);
    if (!latest || latest.at < notBefore) return undefined;
    return { id: id as ConversationId, turns };
  }
}

/** The latest turns of each, in order. */
export async function readHistories(queries: Queries, wanted: readonly Wanted[]): Promise<PastTurn[][]> {
  const ids = wanted.map(({ id }) => id.replaceAll("\0", ""));
  const bots = wanted.map(({ bot }) => bot);
  const rows = await queries.query<PastTurnRow & { position: number }>(READ_HISTORIES, [
    new List(ids),
    new List(bots),
  ]);
  const histories: PastTurn[][] = wanted.map(() => []);
  for (const row of rows) histories[row.position - 1]!.push(toPastTurn(row));
  return histories;
}
