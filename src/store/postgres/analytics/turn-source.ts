import { outcomeOf } from "../../../domain/operator/outcome.ts";
import type { EpochMs } from "../../../domain/time.ts";
import { SqlTurnSource } from "../../aggregates/turn-source.ts";
import {
  type CountedQuery,
  type LatestQuery,
  type ListedTurn,
  newFrom,
  type OpenTurn,
} from "../../analytics/conversation-list.ts";
import type { OpenPlace } from "../../interface/analytics.ts";
import type { ConversationKey, TurnKey } from "../../interface/conversations.ts";
import { type Sql, sql, text, where } from "../../sql/sql.ts";
import { all, first } from "../../sql/work.ts";
import type { Pool } from "../pool.ts";
import { PostgresEngine, runOn } from "../postgres-engine.ts";
import { listOpen, listOpenOf, type OpenRow } from "./uncounted-turns.ts";

/** Turns in PostgreSQL. */
export class PostgresTurnSource extends SqlTurnSource {
  readonly #pool: Pool;

  constructor(pool: Pool) {
    super(new PostgresEngine(pool));
    this.#pool = pool;
  }

  async listOpen(below: OpenPlace | undefined, most: number): Promise<OpenTurn[]> {
    return (await listOpen(this.#pool, below, most)).map(toOpenTurn);
  }

  async listOpenOf(conversations: readonly ConversationKey[]): Promise<OpenTurn[]> {
    return (await listOpenOf(this.#pool, conversations.map(String))).map(toOpenTurn);
  }

  /** Searches words among the latest turns first: finding all turns with a frequent word would take long. */
  async listCounted(query: CountedQuery): Promise<Required<ListedTurn>[]> {
    if (query.words.length === 0) return this.#select(query, "walked");
    const recent = await this.#select(query, "recent");
    return recent.length < query.limit ? this.#select(query, "found") : recent;
  }

  async #select(query: CountedQuery, way: Way): Promise<Required<ListedTurn>[]> {
    const rows = await runOn(this.#pool, all<CountedRow>(selectCounted(query, way)));
    return rows.map(({ place, at, ...turn }) => ({ ...turn, place: { place, at } }));
  }

  async findLatest({ bot, outcome, rating, from, limit }: LatestQuery) {
    const found = sql`FROM counted_turns ${where(
      bot === undefined ? undefined : sql`bot_key = ${bot}`,
      outcome && sql`outcome = ${outcome}`,
      rating && sql`rating = ${rating}`,
      from === undefined ? undefined : sql`at >= ${from}`,
    )}`;
    const latest = sql`SELECT request_id AS key, at ${found} ORDER BY at DESC, place DESC LIMIT ${limit}`;
    const turns = await runOn(this.#pool, all<{ key: TurnKey; at: EpochMs }>(latest));
    const count = await runOn(this.#pool, first<{ total: number }>(sql`SELECT count(*) AS total ${found}`));
    return { turns, total: count!.total };
  }
}

interface CountedRow extends Pick<ListedTurn, "requestId" | "conversation"> {
  place: number;
  at: EpochMs;
}

function toOpenTurn({ conversation, ...row }: OpenRow): OpenTurn {
  return { ...row, conversation: conversation as ConversationKey, outcome: outcomeOf(row) };
}

/**
 * Query plan: `walked`: by the index of time. `recent`: by the index of time, among the latest turns only. `found`: by the index of words,
 * which finds all matches before the first is returned.
 */
type Way = "walked" | "recent" | "found";

/** Turns that `recent` looks at: enough for a page of a word that one turn in a hundred has. Chosen by hand. */
const MAX_RECENT = 5000;

/** Aliases of a turn, and of a later turn of its conversation. */
const [TURN, LATER] = [text("turn"), text("later")];
const LATEST_FIRST = sql`ORDER BY turn.at DESC, turn.place DESC`;

/**
 * The latest matching turn of each conversation: one without a later match. This also leaves out conversations of earlier pages, which a
 * later match put there. An index finds the later turns of each.
 */
function selectCounted(query: CountedQuery, way: Way): Sql {
  const { below, upTo, isAsOf = false, limit } = query;
  const isUpTo = (name: Sql) => (upTo === undefined ? undefined : sql`${name}.place <= ${upTo}`);
  const isBelow = below && sql`(turn.at, turn.place) < (${below.at}, ${below.place})`;
  const listed = [...factsOf(query, TURN), isUpTo(TURN), isBelow];
  const words = wordsOf(query, TURN);
  const found = sql`SELECT * FROM counted_turns AS turn ${where(...listed, words)}`;
  const recent = sql`SELECT * FROM counted_turns AS turn ${where(...listed)} ${LATEST_FIRST} LIMIT ${text(String(MAX_RECENT))}`;
  const sources: Record<Way, { turns: Sql; conditions: (Sql | undefined)[] }> = {
    walked: { turns: sql`counted_turns`, conditions: listed },
    recent: { turns: sql`(${recent})`, conditions: [words] },
    found: { turns: sql`found`, conditions: [] },
  };
  const { turns, conditions } = sources[way];
  const isPassedLater = sql`
    SELECT true FROM counted_turns AS later ${where(
      sql`later.conversation_id = turn.conversation_id`,
      sql`(later.at, later.place) > (turn.at, turn.place)`,
      ...factsOf(query, LATER),
      wordsOf(query, LATER),
      isAsOf ? isUpTo(LATER) : undefined,
    )} LIMIT 1`;
  return sql`
    ${way === "found" ? sql`WITH found AS MATERIALIZED (${found})` : sql``}
    SELECT request_id AS "requestId", conversation_id AS conversation, place, at
    FROM ${turns} AS turn ${where(...conditions, sql`(${isPassedLater}) IS NULL`)} ${LATEST_FIRST} LIMIT ${limit}`;
}

/** Not of a deleted bot. A subquery for each turn: a join might read and sort all turns. */
const isOfBot = (name: Sql) => sql`(SELECT true FROM bots WHERE bots.key = ${name}.bot_key)`;

/** Conditions of a query on the turn with this alias, except its words. */
function factsOf(query: CountedQuery, name: Sql): (Sql | undefined)[] {
  const { bot, outcome, intent, rating, from, to, newer } = query;
  const isPrefix = intent?.endsWith(".*") ?? false;
  return [
    bot === undefined ? isOfBot(name) : sql`${name}.bot_key = ${bot}`,
    outcome && sql`${name}.outcome = ${outcome}`,
    intent === undefined || isPrefix ? undefined : sql`${name}.intent = ${intent}`,
    isPrefix ? sql`starts_with(${name}.intent, ${intent!.slice(0, -1)}::text)` : undefined,
    rating && sql`${name}.rating = ${rating}`,
    from === undefined ? undefined : sql`${name}.at >= ${from}`,
    to === undefined ? undefined : sql`${name}.at < ${to}`,
    newer && sql`${name}.place > ${newer.place}`,
    newer && sql`${name}.at >= ${newFrom(newer)}`,
  ];
}

function wordsOf({ words }: CountedQuery, name: Sql): Sql | undefined {
  if (words.length === 0) return undefined;
  return sql`${name}.words @@ ${words.map((word) => `'${word}':*`).join(" & ")}::tsquery`;
}
