import { SQL } from "bun";

import {
  type Acknowledged,
  type BotCount,
  compareCounts,
  holds,
  IS_COUNTED,
  type StoredTurn,
} from "../ledger.ts";
import type { Tally } from "../tally.ts";

const TURNS = `
SELECT bots.id AS "botId", conversation_id AS "conversationId", request_id AS "requestId", state, input, response
FROM turns JOIN conversations ON conversations.id = conversation_id JOIN bots ON bots.key = bot_key
WHERE conversation_id = ANY($1)`;

/** One statement, and so one moment. */
const COUNTS = `
SELECT id AS "botId",
  (SELECT coalesce(sum(messages), 0) FROM monthly_usage WHERE bot_key = bots.key)::float8 AS used,
  coalesce(answered.turns, 0)::float8 AS answered,
  (SELECT count(*) FROM turns_in_flight WHERE bot_key = bots.key)::float8 AS "inFlight"
FROM bots LEFT JOIN (
  SELECT bot_key, count(*) AS turns FROM turns JOIN conversations ON conversations.id = conversation_id
  WHERE ${IS_COUNTED} GROUP BY bot_key
) AS answered ON answered.bot_key = bots.key`;

/** Messages with numbers are each the only one of their kind. */
const ANSWERED_TWICE = `
SELECT input, count(*)::float8 AS answers FROM turns WHERE state <> 'unanswered' AND input ~ '[0-9]' GROUP BY input HAVING count(*) > 1`;

/** A caller goes on when it has its answer: the numbers at the end of its messages grow. */
const OUT_OF_ORDER = `
SELECT input FROM (
  SELECT input, sent < max(sent) OVER (PARTITION BY conversation_id ORDER BY number) AS is_late
  FROM (SELECT *, substring(input FROM '\\d+$')::bigint AS sent FROM turns WHERE state <> 'unanswered') AS numbered
) AS ordered WHERE is_late`;

const BATCH = 2000;

/** Compares what a crowd was told with a PostgreSQL database, and that with itself; see `compare` of the SQLite ledger. */
export async function compareWithPostgres(
  url: string,
  acknowledged: readonly Acknowledged[],
  tally: Tally,
  { place, cap }: { place: string; cap: number },
): Promise<void> {
  await using sql = new SQL(url, { max: 1 });
  for (let from = 0; from < acknowledged.length; from += BATCH) {
    for (const message of await findMissing(sql, acknowledged.slice(from, from + BATCH)))
      tally.note("lost", `${place}: ${JSON.stringify(message)}`);
  }
  for (const { input, answers } of await rowsOf<{ input: string; answers: number }>(sql, ANSWERED_TWICE))
    tally.note("secondAnswers", `${place}: ${input}: ${answers} answers`, answers - 1);
  for (const { input } of await rowsOf<{ input: string }>(sql, OUT_OF_ORDER))
    tally.note("outOfOrder", `${place}: ${input}`);
  compareCounts(await rowsOf<BotCount>(sql, COUNTS), acknowledged, tally, { place, cap });
}

async function findMissing(sql: SQL, told: readonly Acknowledged[]): Promise<Acknowledged[]> {
  const ids = told.map(({ conversationId }) => conversationId);
  const turns = await rowsOf<StoredTurn>(sql, TURNS, [sql.array([...new Set(ids)], "TEXT")]);
  const stored = Map.groupBy(turns, ({ conversationId }) => conversationId);
  return told.filter((message) => !stored.get(message.conversationId)?.some((turn) => holds(turn, message)));
}

function rowsOf<Row>(sql: SQL, text: string, parameters: unknown[] = []): Promise<Row[]> {
  return sql.unsafe(text, parameters) as Promise<Row[]>;
}
