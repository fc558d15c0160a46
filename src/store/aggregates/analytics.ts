import { CLOSE_FROM } from "../../domain/decision.ts";
import type { Rating } from "../../domain/feedback.ts";
import type { SetAside } from "../../domain/operator/improve.ts";
import type { Outcome } from "../../domain/operator/overview.ts";
import type { EpochMs, Now } from "../../domain/time.ts";
import { Breather } from "../../domain/waiting.ts";
import { listConversations, walkConversations } from "../analytics/conversation-list.ts";
import type {
  CountingPace,
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
} from "../interface/analytics.ts";
import type { BotKey } from "../interface/bots.ts";
import type { TurnKey } from "../interface/conversations.ts";
import type { EventReporting } from "../interface/outbox.ts";
import { among, byEngine, joined, type Sql, sql, text, where } from "../sql/sql.ts";
import { all, type Engine, run, type Work } from "../sql/work.ts";
import { PREVIOUS_MESSAGE, ruleOf } from "./previous-message.ts";
import { CONVERSATION, CONVERSATION_KEY, TURN, TURN_KEY } from "./references.ts";
import { LOOKED_UP_AT_ONCE, ROWS_AT_ONCE, stepsOf } from "./steps.ts";
import type { SqlTurnSource } from "./turn-source.ts";

/** Counting of turns in the background; each engine has its own. */
export interface Counting {
  readonly countingPace: CountingPace;
  countTurns(most: number, reporting?: EventReporting): Promise<CountingStep>;
  countingState(): Promise<CountingState>;
}

interface SqlAnalyticsParts {
  /** For large reads that operators ask for. */
  engine: Engine;
  now: Now;
  counting: Counting;
  turns: SqlTurnSource;
  /** Length of the time range that one statement reads, for all bots. */
  sliceMs: number;
}

const CLOSEST = {
  confidence: byEngine({
    sqlite: "receipt ->> '$.readings[0].scores[0].confidence'",
    postgres: "(receipt::json #>> '{readings,0,scores,0,confidence}')::float8",
  }),
  intent: byEngine({
    sqlite: "receipt ->> '$.readings[0].scores[0].intent'",
    postgres: "receipt::json #>> '{readings,0,scores,0,intent}'",
  }),
};

const TURNS = sql`
  turns JOIN conversations ON ${CONVERSATION_KEY} = turns.${CONVERSATION} JOIN bots ON bots.key = conversations.bot_key`;

const UNANSWERED = sql`
  SELECT ${TURN_KEY} AS key, turns.request_id AS "requestId", conversations.id AS "conversationId", bots.id AS bot, at, input,
    CASE WHEN enforcement_reason <> 'no_intent_match' THEN intent
      WHEN ${CLOSEST.confidence} >= ${text(String(CLOSE_FROM))} THEN ${CLOSEST.intent} END AS intent,
    enforcement_reason AS reason, ${ruleOf("turns")} = 'no-choice' AS "isNoChoice", ${PREVIOUS_MESSAGE}
  FROM ${TURNS}`;

/** A "no" to "Did you mean …?" is not listed: the message before it is. */
type UnansweredRow = Omit<UnansweredTurn, "outcome"> & { isNoChoice: boolean | number };

/** A turn whose rating has changed since it was counted is left out. */
const UNHELPFUL = sql`
  SELECT ${TURN_KEY} AS key, turns.request_id AS "requestId", conversations.id AS "conversationId", bots.id AS bot, turns.at AS at,
    input, response, intent, ratings.reason AS why, ratings.at AS "ratedAt", ${PREVIOUS_MESSAGE}
  FROM ${TURNS} JOIN ratings ON ratings.${TURN} = ${TURN_KEY} AND ratings.rating = 'down'`;

/**
 * Statistics, lists and a search of turns for operators, for any number of turns. They are filled in the background, never by a message's
 * own commit; see `CountBehind`.
 */
export class SqlAnalytics {
  readonly #parts: SqlAnalyticsParts;

  constructor(parts: SqlAnalyticsParts) {
    this.#parts = parts;
  }

  get countingPace() {
    return this.#parts.counting.countingPace;
  }

  /**
   * Counts some turns and their ratings, and indexes their words; of several servers, one counts each turn.
   *
   * @param reporting recipients of events. Events are stored in the counting transaction, so that each turn's is sent once, even after a crash.
   */
  countTurns(most: number, reporting?: EventReporting) {
    return this.#parts.counting.countTurns(most, reporting);
  }

  countingState() {
    return this.#parts.counting.countingState();
  }

  countOutcomes(range: CountRange): Promise<OutcomeCount[]> {
    return this.#inSlices(
      range,
      (ofSlice) => sql`
        SELECT at, outcome, CAST(sum(turns) AS bigint) AS turns FROM turn_counts ${ofSlice}
        GROUP BY at, outcome ORDER BY at, outcome`,
    );
  }

  /** Only turns with an intent, and only of bots that still exist. */
  async countIntents(range: CountRange): Promise<IntentCount[]> {
    const parts = await this.#inSlices<IntentCount>(
      range,
      (ofSlice) => sql`
        SELECT bots.id AS bot, intent, CAST(sum(turns) AS bigint) AS turns
        FROM turn_counts JOIN bots ON bots.key = bot_key ${ofSlice} AND intent <> '' GROUP BY bots.id, intent`,
    );
    const sums = new Map<string, IntentCount>();
    for (const { bot, intent, turns } of parts) {
      sums.getOrInsertComputed(`${bot} ${intent}`, () => ({ bot, intent, turns: 0 })).turns += turns;
    }
    return [...sums.values()];
  }

  /** Number of rated answers, by the time of their messages and by their current ratings. */
  async countRatings(range: CountRange): Promise<RatingCounts> {
    const parts = await this.#inSlices<{ rating: Rating; answers: number }>(
      range,
      (ofSlice) => sql`
        SELECT rating, CAST(sum(answers) AS bigint) AS answers FROM rating_counts ${ofSlice} GROUP BY rating`,
    );
    const counts: RatingCounts = { up: 0, down: 0 };
    for (const { rating, answers } of parts) counts[rating] += answers;
    return counts;
  }

  /** Number of conversations that began. */
  async countConversations(range: CountRange): Promise<number> {
    const parts = await this.#inSlices<{ conversations: number }>(
      range,
      (ofSlice) => sql`
        SELECT CAST(coalesce(sum(conversations), 0) AS bigint) AS conversations FROM conversation_counts ${ofSlice}`,
    );
    return parts.reduce((sum, { conversations }) => sum + conversations, 0);
  }

  /**
   * Conversations with a turn that passes the query, the one with the latest such turn first: uncounted turns first, then counted ones.
   * If many turns are uncounted and few of them pass, a page may hold fewer rows than its limit although the list continues.
   */
  listConversations(query: ListQuery): Promise<ListedConversations> {
    return listConversations(this.#parts.turns, query);
  }

  /** The same to the end, in batches: every conversation with such a turn at the beginning, exactly once, even while turns are stored and counted. */
  walkConversations(query: Omit<ListQuery, "limit">) {
    return walkConversations(this.#parts.turns, query);
  }

  /** The latest turns first, and the total. */
  async listUnanswered({ outcomes, since: from, limit, bot }: UnansweredQuery) {
    const counted: { key: TurnKey; at: EpochMs; outcome: Outcome }[] = [];
    let total = 0;
    for (const outcome of outcomes) {
      const query = { outcome, from, limit, ...(bot !== undefined && { bot }) };
      const latest = await this.#parts.turns.findLatest(query);
      counted.push(...latest.turns.map((turn) => ({ ...turn, outcome })));
      total += latest.total;
    }
    const latest = counted.toSorted((a, b) => b.at - a.at).slice(0, limit);
    const rows = await this.#lookUp<UnansweredRow>(UNANSWERED, latest);
    const found = latest.flatMap(({ key, outcome }) => {
      const row = rows.get(key);
      return row ? [{ ...row, outcome }] : [];
    });
    const turns = found.flatMap(({ isNoChoice, ...turn }) => (isNoChoice ? [] : [turn]));
    return { turns, total: total - (found.length - turns.length) };
  }

  /** Answers that are rated down: the latest first, and the total. */
  async listUnhelpful({ since: from, limit, bot }: UnhelpfulQuery) {
    const query = { rating: "down", from, limit, ...(bot !== undefined && { bot }) } as const;
    const { turns, total } = await this.#parts.turns.findLatest(query);
    const rows = await this.#lookUp<UnhelpfulTurn>(UNHELPFUL, turns);
    return { turns: turns.flatMap(({ key }) => rows.get(key) ?? []), total };
  }

  /** Those of these request ids whose messages are still stored. */
  async findStored(requestIds: readonly string[]): Promise<ReadonlySet<string>> {
    const breather = new Breather();
    const stored = new Set<string>();
    for (const step of stepsOf(requestIds, LOOKED_UP_AT_ONCE)) {
      const statement = sql`SELECT request_id AS id FROM turns WHERE request_id IN ${among(step)}`;
      for (const { id } of await this.#parts.engine.read(() => all<{ id: string }>(statement)))
        stored.add(id);
      await breather.breathe();
    }
    return stored;
  }

  /** Hides messages from operators' lists. A message that was set aside before gets the new reason. */
  setAside(bot: BotKey, hashes: readonly Uint8Array[], as: SetAside["as"], by: string): Promise<void> {
    const { engine, now } = this.#parts;
    return engine.write(() => setAside(hashes, (hash) => sql`(${bot}, ${hash}, ${as}, ${by}, ${now()})`));
  }

  /** Shows hidden messages again. */
  takeBack(bot: BotKey, hashes: readonly Uint8Array[]): Promise<void> {
    return this.#parts.engine.write(() => takeBack(bot, hashes));
  }

  listSetAside(bot?: BotKey): Promise<SetAsideMessage[]> {
    const statement = sql`
      SELECT bots.id AS bot, text_hash AS hash, set_at AS at FROM set_aside_messages JOIN bots ON bots.key = bot_key
      ${where(bot === undefined ? undefined : sql`bot_key = ${bot}`)}`;
    return this.#parts.engine.read(() => all<SetAsideMessage>(statement));
  }

  /** Stored columns of turns; a turn that has been deleted is left out. */
  async #lookUp<Row>(select: Sql, turns: readonly { key: TurnKey }[]): Promise<Map<TurnKey, Row>> {
    const breather = new Breather();
    const found = new Map<TurnKey, Row>();
    for (const step of stepsOf(turns, LOOKED_UP_AT_ONCE)) {
      const statement = sql`${select} WHERE ${TURN_KEY} IN ${among(step.map(({ key }) => key))}`;
      const rows = await this.#parts.engine.read(() => all<Row & { key: TurnKey }>(statement));
      for (const { key, ...row } of rows) found.set(key, row as Row);
      await breather.breathe();
    }
    return found;
  }

  /** Rows of a time range, read slice by slice. Each slice uses an index. */
  async #inSlices<Row>({ bucket, from, to, bot }: CountRange, select: (ofSlice: Sql) => Sql): Promise<Row[]> {
    const { engine, sliceMs } = this.#parts;
    const breather = new Breather();
    const rows: Row[] = [];
    for (let at = from; at < to; at += sliceMs) {
      const ofSlice = where(
        bot === undefined ? undefined : sql`bot_key = ${bot}`,
        sql`bucket = ${bucket} AND at >= ${at} AND at < ${Math.min(to, at + sliceMs)}`,
      );
      rows.push(...(await engine.read(() => all<Row>(select(ofSlice)))));
      await breather.breathe();
    }
    return rows;
  }
}

function* setAside(hashes: readonly Uint8Array[], rowOf: (hash: Uint8Array) => Sql): Work<void> {
  for (const step of stepsOf(hashes, ROWS_AT_ONCE))
    yield* run(sql`
      INSERT INTO set_aside_messages (bot_key, text_hash, kind, set_by, set_at) VALUES ${joined(step.map(rowOf), ", ")}
      ON CONFLICT (bot_key, text_hash) DO UPDATE
        SET kind = excluded.kind, set_by = excluded.set_by, set_at = excluded.set_at`);
}

function* takeBack(bot: BotKey, hashes: readonly Uint8Array[]): Work<void> {
  for (const step of stepsOf(hashes, ROWS_AT_ONCE)) {
    const list = joined(
      step.map((hash) => sql`${hash}`),
      ", ",
    );
    yield* run(sql`DELETE FROM set_aside_messages WHERE bot_key = ${bot} AND text_hash IN (${list})`);
  }
}
