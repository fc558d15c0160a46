import { CLOSE_FROM } from "../../../domain/decision.ts";
import type { Rating } from "../../../domain/feedback.ts";
import type { SetAside } from "../../../domain/operator/improve.ts";
import type { Now } from "../../../domain/time.ts";
import { listConversations, walkConversations } from "../../analytics/conversation-list.ts";
import type {
  Analytics,
  CountingState,
  CountingStep,
  CountRange,
  IntentCount,
  ListedConversations,
  ListQuery,
  OutcomeCount,
  RatingCounts,
  SetAsideMessage,
  UnansweredQuery,
  UnansweredTurn,
  UnhelpfulQuery,
  UnhelpfulTurn,
} from "../../interface/analytics.ts";
import type { BotKey } from "../../interface/bots.ts";
import type { Telling } from "../../interface/outbox.ts";
import { SAID_BEHIND } from "../audit.ts";
import { List, type Parameter } from "../connection.ts";
import type { Pool } from "../pool.ts";
import { PostgresTurnCounting } from "./turn-counting.ts";
import { PostgresTurnSource } from "./turn-source.ts";

const CLOSEST = "(receipt::json #> '{readings,0,scores,0}')";

const OF_UNANSWERED = `
FROM counted_turns AS counted
WHERE counted.outcome = ANY ($1::text[]) AND counted.at >= $2 AND ($3::bigint IS NULL OR counted.bot_key = $3)`;

/** The rows are found first, so that no more receipts are read than are shown. */
const UNANSWERED = `
SELECT turns.request_id AS "requestId", turns.conversation_id AS "conversationId", bots.id AS bot,
  turns.at::float8 AS at, outcome, input,
  CASE WHEN enforcement_reason <> 'no_intent_match' THEN turns.intent
    WHEN (${CLOSEST} ->> 'confidence')::float8 >= ${CLOSE_FROM} THEN ${CLOSEST} ->> 'intent' END AS intent,
  enforcement_reason AS reason, ${SAID_BEHIND}
FROM (SELECT * ${OF_UNANSWERED} ORDER BY at DESC, place DESC LIMIT $4) AS found
JOIN turns ON turns.request_id = found.request_id JOIN bots ON bots.key = found.bot_key ORDER BY found.at DESC, found.place DESC`;

const OF_UNHELPFUL = `
FROM counted_turns AS counted
WHERE counted.rating = 'down' AND counted.at >= $1 AND ($2::bigint IS NULL OR counted.bot_key = $2)`;

/** One that is rated otherwise by now is left out. */
const UNHELPFUL = `
SELECT turns.request_id AS "requestId", turns.conversation_id AS "conversationId", bots.id AS bot, turns.at::float8 AS at,
  input, response, turns.intent, reason AS why, ratings.at::float8 AS "ratedAt", ${SAID_BEHIND}
FROM (SELECT * ${OF_UNHELPFUL} ORDER BY at DESC, place DESC LIMIT $3) AS found
JOIN turns ON turns.request_id = found.request_id JOIN bots ON bots.key = found.bot_key
JOIN ratings ON ratings.request_id = found.request_id AND ratings.rating = 'down' ORDER BY found.at DESC, found.place DESC`;

const OF_RANGE = "bucket = $1 AND at >= $2 AND at < $3 AND ($4::bigint IS NULL OR bot_key = $4)";
const parametersOf = ({ bucket, from, to, bot }: CountRange): Parameter[] => [bucket, from, to, bot ?? null];

const SET_ASIDE = `
INSERT INTO set_aside_messages (bot_key, text_hash, kind, set_by, set_at)
SELECT $1::bigint, hash, $3::text, $4::text, $5::bigint FROM unnest($2::bytea[]) AS item (hash)
ON CONFLICT (bot_key, text_hash) DO UPDATE SET kind = excluded.kind, set_by = excluded.set_by, set_at = excluded.set_at`;

/** What operators look at, in PostgreSQL. */
export class PostgresAnalytics implements Analytics {
  /** A step holds a connection that messages do not need; a third of the time is left to them on the machine of the database. */
  readonly countingPace = { stepMs: 100, mostTurns: 1000, pauses: 0.5 };
  readonly #pool: Pool;
  readonly #now: Now;
  readonly #counting = new PostgresTurnCounting();
  readonly #turns: PostgresTurnSource;

  constructor(pool: Pool, now: Now) {
    this.#pool = pool;
    this.#now = now;
    this.#turns = new PostgresTurnSource(pool);
  }

  async countTurns(most: number, telling?: Telling): Promise<CountingStep> {
    if (!(await this.#counting.hasWork(this.#pool))) return { counted: 0, mayGoOn: false, tookMs: 0 };
    return this.#pool.transaction(async (queries) => {
      const startedAt = performance.now();
      const step = await this.#counting.step(queries, most, telling);
      return { ...step, tookMs: performance.now() - startedAt };
    });
  }

  countingState(): Promise<CountingState> {
    return this.#counting.state(this.#pool);
  }

  countOutcomes(range: CountRange): Promise<OutcomeCount[]> {
    return this.#pool.query<OutcomeCount>(
      `SELECT at::float8 AS at, outcome, sum(turns)::float8 AS turns FROM turn_counts WHERE ${OF_RANGE}
       GROUP BY turn_counts.at, outcome ORDER BY turn_counts.at, outcome`,
      parametersOf(range),
    );
  }

  countIntents(range: CountRange): Promise<IntentCount[]> {
    return this.#pool.query<IntentCount>(
      `SELECT bots.id AS bot, intent, sum(turns)::float8 AS turns FROM turn_counts JOIN bots ON bots.key = bot_key
       WHERE ${OF_RANGE} AND intent <> '' GROUP BY bots.id, intent`,
      parametersOf(range),
    );
  }

  async countRatings(range: CountRange): Promise<RatingCounts> {
    const rows = await this.#pool.query<{ rating: Rating; answers: number }>(
      `SELECT rating, sum(answers)::float8 AS answers FROM rating_counts WHERE ${OF_RANGE} GROUP BY rating`,
      parametersOf(range),
    );
    const counts: RatingCounts = { up: 0, down: 0 };
    for (const { rating, answers } of rows) counts[rating] = answers;
    return counts;
  }

  async countConversations(range: CountRange): Promise<number> {
    const [row] = await this.#pool.query<{ conversations: number }>(
      `SELECT coalesce(sum(conversations), 0)::float8 AS conversations FROM conversation_counts WHERE ${OF_RANGE}`,
      parametersOf(range),
    );
    return row!.conversations;
  }

  listConversations(query: ListQuery): Promise<ListedConversations> {
    return listConversations(this.#turns, query);
  }

  walkConversations(query: Omit<ListQuery, "limit">) {
    return walkConversations(this.#turns, query);
  }

  async listUnanswered({ bot, outcomes, since, limit }: UnansweredQuery) {
    const parameters = [new List(outcomes), since, bot ?? null];
    const turns = await this.#pool.query<UnansweredTurn>(UNANSWERED, [...parameters, limit]);
    const [row] = await this.#pool.query<{ total: number }>(
      `SELECT count(*)::float8 AS total ${OF_UNANSWERED}`,
      parameters,
    );
    return { turns, total: row!.total };
  }

  async listUnhelpful({ bot, since, limit }: UnhelpfulQuery) {
    const parameters = [since, bot ?? null];
    const turns = await this.#pool.query<UnhelpfulTurn>(UNHELPFUL, [...parameters, limit]);
    const [row] = await this.#pool.query<{ total: number }>(
      `SELECT count(*)::float8 AS total ${OF_UNHELPFUL}`,
      parameters,
    );
    return { turns, total: row!.total };
  }

  async findStored(requestIds: readonly string[]): Promise<ReadonlySet<string>> {
    const rows = await this.#pool.query<{ id: string }>(
      "SELECT request_id AS id FROM turns WHERE request_id = ANY($1::text[])",
      [new List(requestIds)],
    );
    return new Set(rows.map(({ id }) => id));
  }

  async setAside(bot: BotKey, hashes: readonly Uint8Array[], as: SetAside["as"], by: string): Promise<void> {
    await this.#pool.query(SET_ASIDE, [bot, new List(hashes), as, by, this.#now()]);
  }

  async takeBack(bot: BotKey, hashes: readonly Uint8Array[]): Promise<void> {
    await this.#pool.query(
      "DELETE FROM set_aside_messages WHERE bot_key = $1 AND text_hash = ANY($2::bytea[])",
      [bot, new List(hashes)],
    );
  }

  listSetAside(bot?: BotKey): Promise<SetAsideMessage[]> {
    return this.#pool.query<SetAsideMessage>(
      "SELECT bots.id AS bot, text_hash AS hash, set_at::float8 AS at FROM set_aside_messages JOIN bots ON bots.key = bot_key WHERE $1::bigint IS NULL OR bot_key = $1",
      [bot ?? null],
    );
  }
}
