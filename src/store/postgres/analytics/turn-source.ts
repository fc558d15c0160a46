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
import { sql, where } from "../../sql/sql.ts";
import { all, first } from "../../sql/work.ts";
import type { Parameter } from "../connection.ts";
import type { Pool } from "../pool.ts";
import { PostgresEngine, runOn } from "../postgres-engine.ts";
import { listOpen, listOpenOf, type OpenRow } from "./uncounted-turns.ts";

interface CountedRow {
  requestId: string;
  conversation: string;
  place: number;
  at: EpochMs;
}

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

  /** Words are looked for among the latest turns first: of a frequent one, to find all would take long. */
  async listCounted(query: CountedQuery): Promise<Required<ListedTurn>[]> {
    if (query.words.length === 0) return this.#select(query, "walked");
    const recent = await this.#select(query, "recent");
    return recent.length < query.limit ? this.#select(query, "found") : recent;
  }

  async #select(query: CountedQuery, way: Way): Promise<Required<ListedTurn>[]> {
    const { text, parameters } = selectCounted(query, way);
    const rows = await this.#pool.query<CountedRow>(text, parameters);
    return rows.map(({ requestId, conversation, place, at }) => ({
      requestId,
      conversation: conversation as ConversationKey,
      place: { place, at },
    }));
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

function toOpenTurn({ conversation, ...row }: OpenRow): OpenTurn {
  return { ...row, conversation: conversation as ConversationKey, outcome: outcomeOf(row) };
}

/** Collects the values of a statement. */
class Parameters {
  readonly values: Parameter[] = [];

  add(value: Parameter): string {
    this.values.push(value);
    return `$${this.values.length}`;
  }
}

/**
 * How turns are found: by an index in the order of time; in that order among the latest alone; by the index of words, all of them before
 * the first is shown.
 */
type Way = "walked" | "recent" | "found";

/** Of a word that one turn in a hundred has, a page. */
const MOST_RECENT = 5000;

/**
 * The latest turn that passes of each conversation: one behind which no other of it passes. A conversation that is on a page before is so
 * by a later one. Later turns are looked up for each, by an index.
 */
function selectCounted(query: CountedQuery, way: Way): { text: string; parameters: Parameter[] } {
  const parameters = new Parameters();
  const { facts, words } = conditionsOf(query, parameters);
  const meets = (conditions: readonly Condition[], name: string) =>
    ["true", ...conditions.map((condition) => condition(name))].join(" AND ");
  const { below, upTo, isAsOf, limit } = query;
  const listed: Condition[] = [];
  if (below) {
    const place = `(${parameters.add(below.at)}::bigint, ${parameters.add(below.place)}::bigint)`;
    listed.push((name) => `(${name}.at, ${name}.place) < ${place}`);
  }
  const known: Condition[] = [];
  if (upTo !== undefined) {
    const place = parameters.add(upTo);
    (isAsOf ? known : listed).push((name) => `${name}.place <= ${place}::bigint`);
  }
  const latest = `ORDER BY turn.at DESC, turn.place DESC LIMIT ${MOST_RECENT}`;
  const sources: Record<Way, string> = {
    walked: `counted_turns AS turn WHERE ${meets([...facts, ...known, ...listed], "turn")}`,
    recent: `(SELECT * FROM counted_turns AS turn WHERE ${meets([...facts, ...known, ...listed], "turn")} ${latest}) AS turn WHERE ${meets(words, "turn")}`,
    found: `found AS turn WHERE true`,
  };
  const found = `WITH found AS MATERIALIZED (SELECT * FROM counted_turns AS turn WHERE ${meets([...facts, ...words, ...known, ...listed], "turn")})`;
  const text = `
${way === "found" ? found : ""}
SELECT request_id AS "requestId", conversation_id AS conversation, place::float8 AS place, at::float8 AS at
FROM ${sources[way]}
  AND (SELECT true FROM counted_turns AS later WHERE later.conversation_id = turn.conversation_id
    AND (later.at, later.place) > (turn.at, turn.place) AND ${meets([...facts, ...words, ...known], "later")} LIMIT 1) IS NULL
ORDER BY turn.at DESC, turn.place DESC LIMIT ${parameters.add(limit)}::int4`;
  return { text, parameters: parameters.values };
}

/** A condition on a turn, by the name that it has in a statement. */
type Condition = (name: string) => string;

/** Not of a deleted one. Looked up for each turn: a join might read all of them, and sort them. */
const isOfBot: Condition = (name) => `(SELECT true FROM bots WHERE bots.key = ${name}.bot_key)`;

/** What a query asks of a turn, its words apart. */
function conditionsOf(
  query: CountedQuery,
  parameters: Parameters,
): { facts: Condition[]; words: Condition[] } {
  const { bot, outcome, intent, rating, from, to, newer, words } = query;
  const facts: Condition[] = [];
  const add = (value: Parameter | undefined, condition: (name: string, value: string) => string) => {
    if (value === undefined) return;
    const placeholder = parameters.add(value);
    facts.push((name) => condition(name, placeholder));
  };
  if (bot === undefined) facts.push(isOfBot);
  add(bot, (name, value) => `${name}.bot_key = ${value}::bigint`);
  add(outcome, (name, value) => `${name}.outcome = ${value}::text`);
  if (intent?.endsWith(".*"))
    add(intent.slice(0, -1), (name, value) => `starts_with(${name}.intent, ${value}::text)`);
  else add(intent, (name, value) => `${name}.intent = ${value}::text`);
  add(rating, (name, value) => `${name}.rating = ${value}::text`);
  add(from, (name, value) => `${name}.at >= ${value}::bigint`);
  add(to, (name, value) => `${name}.at < ${value}::bigint`);
  add(newer?.place, (name, value) => `${name}.place > ${value}::bigint`);
  add(newer && newFrom(newer), (name, value) => `${name}.at >= ${value}::bigint`);
  if (words.length === 0) return { facts, words: [] };
  const asked = parameters.add(words.map((word) => `'${word}':*`).join(" & "));
  return { facts, words: [(name) => `${name}.words @@ ${asked}::tsquery`] };
}
