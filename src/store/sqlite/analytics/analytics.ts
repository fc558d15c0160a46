import type { Database } from "better-sqlite3";

import { Breather } from "../../../domain/breather.ts";
import { CLOSE_FROM } from "../../../domain/decision.ts";
import type { Rating } from "../../../domain/feedback.ts";
import type { SetAside } from "../../../domain/operator/improve.ts";
import type { Outcome } from "../../../domain/operator/overview.ts";
import type { EpochMs, Now } from "../../../domain/time.ts";
import { listConversations, walkConversations } from "../../analytics/conversation-list.ts";
import { DAY_MS } from "../../analytics/count-sums.ts";
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
import type { TurnCounting } from "./turn-counting.ts";
import { SqliteTurnSource } from "./turn-source.ts";

interface AnalyticsParts {
  db: Database;
  now: Now;
  counting: TurnCounting;
  /** Writes in a transaction that messages may share. */
  write: <Result>(work: () => Result) => Promise<Result>;
  /** Reads, and turns the failures of storage into what callers learn of them. */
  read: <Result>(read: () => Result) => Result;
}

/** Each by an index of its own. */
const rangeOf = ({ bot }: CountRange) =>
  `${bot === undefined ? "" : "bot_key = @bot AND "}bucket = @bucket AND at >= @from AND at < @to`;
/** Days of sums that are read at a stretch, of all bots: some milliseconds where there are a hundred. */
const SLICE_MS = 10 * DAY_MS;

interface WalkedTurn {
  turn: number;
  at: EpochMs;
  outcome: Outcome;
}

/** What operators look at, in SQLite. */
export class SqliteAnalytics implements Analytics {
  /** A step holds the loop: a message that comes meanwhile waits no longer. */
  readonly countingPace = { stepMs: 3, mostTurns: 400, pauses: 3 };
  readonly #parts: AnalyticsParts;
  readonly #turns: SqliteTurnSource;

  constructor(parts: AnalyticsParts) {
    this.#parts = parts;
    this.#turns = new SqliteTurnSource(parts.db);
  }

  async countTurns(most: number, telling?: Telling): Promise<CountingStep> {
    const { counting, read, write } = this.#parts;
    if (!read(() => counting.hasWork())) return { counted: 0, mayGoOn: false, tookMs: 0 };
    return write(() => {
      const startedAt = performance.now();
      return { ...counting.step(most, telling), tookMs: performance.now() - startedAt };
    });
  }

  async countingState(): Promise<CountingState> {
    return this.#parts.read(() => this.#parts.counting.state());
  }

  async countOutcomes(range: CountRange): Promise<OutcomeCount[]> {
    return this.#inSlices<OutcomeCount>(
      `SELECT at, outcome, sum(turns) AS turns FROM turn_counts WHERE ${rangeOf(range)} GROUP BY at, outcome ORDER BY at, outcome`,
      range,
    );
  }

  async countIntents(range: CountRange): Promise<IntentCount[]> {
    const parts = await this.#inSlices<IntentCount>(
      `SELECT bots.id AS bot, intent, sum(turns) AS turns FROM turn_counts JOIN bots ON bots.key = bot_key
       WHERE ${rangeOf(range)} AND intent <> '' GROUP BY bot_key, intent`,
      range,
    );
    const sums = new Map<string, IntentCount>();
    for (const { bot, intent, turns } of parts) {
      sums.getOrInsertComputed(`${bot} ${intent}`, () => ({ bot, intent, turns: 0 })).turns += turns;
    }
    return [...sums.values()];
  }

  async countRatings(range: CountRange): Promise<RatingCounts> {
    const parts = await this.#inSlices<{ rating: Rating; answers: number }>(
      `SELECT rating, sum(answers) AS answers FROM rating_counts WHERE ${rangeOf(range)} GROUP BY rating`,
      range,
    );
    const counts: RatingCounts = { up: 0, down: 0 };
    for (const { rating, answers } of parts) counts[rating] += answers;
    return counts;
  }

  async countConversations(range: CountRange): Promise<number> {
    const parts = await this.#inSlices<{ conversations: number }>(
      `SELECT coalesce(sum(conversations), 0) AS conversations FROM conversation_counts WHERE ${rangeOf(range)}`,
      range,
    );
    return parts.reduce((sum, { conversations }) => sum + conversations, 0);
  }

  listConversations(query: ListQuery): Promise<ListedConversations> {
    return listConversations(this.#turns, query);
  }

  walkConversations(query: Omit<ListQuery, "limit">) {
    return walkConversations(this.#turns, query);
  }

  async listUnanswered({ bot, outcomes, since, limit }: UnansweredQuery) {
    const found: WalkedTurn[] = [];
    let total = 0;
    for (const outcome of outcomes) {
      const query = { words: [], outcome, from: since, below: undefined, ...(bot !== undefined && { bot }) };
      let left = limit;
      for await (const { turn, at } of this.#turns.walk(query)) {
        found.push({ turn, at, outcome });
        if (--left === 0) break;
      }
      total += await this.#turns.count(query);
    }
    const latest = found.toSorted((a, b) => b.at - a.at).slice(0, limit);
    return { turns: await this.#readUnanswered(latest), total };
  }

  async listUnhelpful({ bot, since, limit }: UnhelpfulQuery) {
    const { db, read } = this.#parts;
    const query = {
      words: [],
      rating: "down",
      from: since,
      below: undefined,
      ...(bot !== undefined && { bot }),
    } as const;
    const find = db.prepare<[number], UnhelpfulTurn>(UNHELPFUL);
    const turns: UnhelpfulTurn[] = [];
    for await (const { turn } of this.#turns.walk(query)) {
      const row = read(() => find.get(turn));
      if (row) turns.push(row);
      if (turns.length === limit) break;
    }
    return { turns, total: await this.#turns.count(query) };
  }

  async findStored(requestIds: readonly string[]): Promise<ReadonlySet<string>> {
    const { db, read } = this.#parts;
    const find = db.prepare<[string], string>("SELECT request_id FROM turns WHERE request_id = ?").pluck();
    const breather = new Breather();
    const stored = new Set<string>();
    for (const id of requestIds) {
      if (read(() => find.get(id)) !== undefined) stored.add(id);
      await breather.breathe();
    }
    return stored;
  }

  async setAside(bot: BotKey, hashes: readonly Uint8Array[], as: SetAside["as"], by: string): Promise<void> {
    const { db, now, write } = this.#parts;
    const save = db.prepare(`
      INSERT OR REPLACE INTO set_aside_messages (bot_key, text_hash, kind, set_by, set_at) VALUES (?, ?, ?, ?, ?)`);
    await write(() => {
      for (const hash of hashes) save.run(bot, hash, as, by, now());
    });
  }

  async takeBack(bot: BotKey, hashes: readonly Uint8Array[]): Promise<void> {
    const remove = this.#parts.db.prepare(
      "DELETE FROM set_aside_messages WHERE bot_key = ? AND text_hash = ?",
    );
    await this.#parts.write(() => {
      for (const hash of hashes) remove.run(bot, hash);
    });
  }

  async listSetAside(bot?: BotKey): Promise<SetAsideMessage[]> {
    const { db, read } = this.#parts;
    const sql =
      "SELECT bots.id AS bot, text_hash AS hash, set_at AS at FROM set_aside_messages JOIN bots ON bots.key = bot_key WHERE ? IS NULL OR bot_key = ?";
    return read(() =>
      db.prepare<[BotKey | null, BotKey | null], SetAsideMessage>(sql).all(bot ?? null, bot ?? null),
    );
  }

  async #readUnanswered(found: readonly WalkedTurn[]): Promise<UnansweredTurn[]> {
    const find = this.#parts.db.prepare<[number], Omit<UnansweredTurn, "outcome">>(UNANSWERED);
    const breather = new Breather();
    const turns: UnansweredTurn[] = [];
    for (const { turn, outcome } of found) {
      const row = find.get(turn);
      if (row) turns.push({ ...row, outcome });
      await breather.breathe();
    }
    return turns;
  }

  /** Rows of a range, some days at a time. */
  async #inSlices<Row>(sql: string, { bucket, from, to, bot }: CountRange): Promise<Row[]> {
    const { db, read } = this.#parts;
    const select = db.prepare<object, Row>(sql);
    const breather = new Breather();
    const rows: Row[] = [];
    for (let at = from; at < to; at += SLICE_MS) {
      rows.push(...read(() => select.all({ bucket, from: at, to: Math.min(to, at + SLICE_MS), bot })));
      await breather.breathe();
    }
    return rows;
  }
}

const CLOSEST = "receipt ->> '$.readings[0].scores[0]";

const UNANSWERED = `
  SELECT request_id AS requestId, conversations.id AS conversationId, bots.id AS bot, at, input,
    CASE WHEN enforcement_reason <> 'no_intent_match' THEN intent
      WHEN ${CLOSEST}.confidence' >= ${CLOSE_FROM} THEN ${CLOSEST}.intent' END AS intent,
    enforcement_reason AS reason
  FROM turns JOIN conversations ON conversations.key = conversation_key JOIN bots ON bots.key = bot_key
  WHERE turns.key = ?`;

/** One that is rated otherwise by now is left out. */
const UNHELPFUL = `
  SELECT request_id AS requestId, conversations.id AS conversationId, bots.id AS bot, turns.at, input, response, intent,
    ratings.reason AS why, ratings.at AS ratedAt
  FROM turns JOIN ratings ON turn_key = turns.key JOIN conversations ON conversations.key = conversation_key
  JOIN bots ON bots.key = bot_key
  WHERE turns.key = ? AND rating = 'down'`;
