import { type ConversationHistory, HISTORY_TURNS } from "../../domain/conversation.ts";
import type { ConversationId } from "../../domain/ids.ts";
import type { EpochMs } from "../../domain/time.ts";
import type { BotKey } from "../interface/bots.ts";
import { handoffOf, type HandoffRow, type PastTurnRow, toPastTurn } from "../turn-rows.ts";
import { List, type Queries } from "./connection.ts";
import { Grouped } from "./grouped.ts";
import type { Pool } from "./pool.ts";

/** A conversation that a message continues. */
interface Wanted {
  id: string;
  bot: BotKey;
}

/** Groups of reads that run at the same time. Chosen by hand. */
const READ_LANES = 2;

/** Columns of a turn, for `toPastTurn`. */
export const PAST_TURN_COLUMNS = `
  request_id AS key, request_id, at::float8 AS at, state, input, response, intent,
  response_index::float8 AS response_index, capability_allowed::int4 AS capability_allowed, subject, action`;

const READ_HISTORIES = `
SELECT wanted.position::int4 AS position, handed.*, latest.*
FROM unnest($1::text[], $2::bigint[]) WITH ORDINALITY AS wanted (id, bot, position)
CROSS JOIN LATERAL (
  SELECT id FROM conversations WHERE conversations.id = wanted.id AND conversations.bot_key = wanted.bot LIMIT 1
) AS found
CROSS JOIN LATERAL (
  SELECT max(live_until)::float8 AS live_until, max(updated_at)::float8 AS handoff_at
  FROM handoffs WHERE conversation_id = found.id
) AS handed
LEFT JOIN LATERAL (
  SELECT ${PAST_TURN_COLUMNS}, number,
    CASE WHEN intent IS NULL OR intent IN ('social.help', 'social.repair') THEN receipt::json ->> 'suggestions' END AS suggestions,
    CASE WHEN intent IS NULL THEN receipt::json ->> 'rule' END AS rule
  FROM turns WHERE conversation_id = found.id ORDER BY turns.number DESC LIMIT ${HISTORY_TURNS}
) AS latest ON true
ORDER BY wanted.position, latest.number`;

/** A conversation as it is found: a hand-off may have begun it, before the first message. */
type Found = Omit<ConversationHistory, "id">;

/** The first of a conversation without turns has none of a turn's columns. */
type HistoryRow = { position: number } & HandoffRow & (PastTurnRow | { [Column in keyof PastTurnRow]: null });

/** Reads conversations in groups: requests that arrive while a group runs share the next. */
export class Histories {
  readonly #groups: Grouped<Wanted, Found | undefined>;

  constructor(pool: Pool) {
    this.#groups = new Grouped({
      run: (wanted) => readHistories(pool, wanted),
      lanes: READ_LANES,
      isOfOneItem: () => false,
    });
  }

  /** The conversation, if it is this bot's and had a turn at or after `notBefore`, or none yet. */
  async find(id: string, bot: BotKey, notBefore: EpochMs): Promise<ConversationHistory | undefined> {
    const found = await this.#groups.add({ id, bot });
    const latest = found?.turns.at(-1);
    if (!found || (latest && latest.at < notBefore)) return undefined;
    return { id: id as ConversationId, ...found };
  }
}

/** The latest turns of each conversation, in order; undefined if there is no such conversation. */
export async function readHistories(
  queries: Queries,
  wanted: readonly Wanted[],
): Promise<(Found | undefined)[]> {
  const ids = wanted.map(({ id }) => id.replaceAll("\0", ""));
  const bots = wanted.map(({ bot }) => bot);
  const rows = await queries.query<HistoryRow>(READ_HISTORIES, [new List(ids), new List(bots)]);
  const byPosition = Map.groupBy(rows, ({ position }) => position);
  return wanted.map((_, index) => historyOf(byPosition.get(index + 1)));
}

function historyOf(rows: readonly HistoryRow[] | undefined): Found | undefined {
  const [first] = rows ?? [];
  if (!rows || !first) return undefined;
  return { turns: rows.filter((row) => row.key !== null).map(toPastTurn), ...handoffOf(first) };
}
