import type { Database, Statement } from "better-sqlite3";

import type { EnforcementReason } from "../../../domain/chat.ts";
import type { TurnState } from "../../../domain/conversation.ts";
import type { Rating } from "../../../domain/feedback.ts";
import { outcomeOf } from "../../../domain/operator/outcome.ts";
import type { Outcome } from "../../../domain/operator/overview.ts";
import type { EpochMs } from "../../../domain/time.ts";
import type { Counting } from "../../aggregates/analytics.ts";
import { reportEvents } from "../../aggregates/turn-events.ts";
import { type RatingToCount, sumRatings, sumTurns, type TurnToCount } from "../../analytics/count-sums.ts";
import { wordsOf } from "../../analytics/words.ts";
import type { CountingState, CountingStep } from "../../interface/analytics.ts";
import type { BotKey } from "../../interface/bots.ts";
import type { ConversationKey, TurnKey } from "../../interface/conversations.ts";
import type { EventReporting } from "../../interface/outbox.ts";
import { runNow } from "../sqlite-engine.ts";
import { attributeTermsOf } from "./attribute-terms.ts";
import { blockOf } from "./bitmaps.ts";
import { eraseWords, WordIndex } from "./word-index.ts";

interface UncountedRow {
  key: TurnKey;
  conversation: ConversationKey;
  bot: BotKey;
  at: EpochMs;
  state: TurnState;
  enforcementReason: EnforcementReason | null;
  hasSuggestions: number;
  intent: string | null;
  input: string;
  response: string;
  actionState: string | null;
  isInFlight: number;
  begins: number;
}

/** The indexed columns of a counted turn. */
type PlacedTurn = Pick<UncountedRow, "bot" | "at" | "intent" | "input" | "response"> & {
  place: number;
  outcome: Outcome;
};

const HAS_SUGGESTIONS = `
  CASE WHEN enforcement_reason = 'no_intent_match' THEN receipt ->> '$.suggestions[0]' IS NOT NULL ELSE 0 END AS hasSuggestions`;
/** Few turns have an action; other receipts are not parsed. */
const ACTION_STATE = "CASE WHEN action IS NOT NULL THEN receipt ->> '$.action.state' END AS actionState";
const BEGINS = `
  NOT EXISTS (SELECT 1 FROM turns AS earlier WHERE earlier.conversation_key = turns.conversation_key AND earlier.key < turns.key) AS begins`;

/** Columns of a turn that counting reads. */
export const UNCOUNTED = `
  SELECT turns.key, turns.conversation_key AS conversation, bot_key AS bot, at, state, enforcement_reason AS enforcementReason,
    ${HAS_SUGGESTIONS}, ${ACTION_STATE}, intent, input, response,
    EXISTS (SELECT 1 FROM turns_in_flight WHERE turns_in_flight.turn_key = turns.key) AS isInFlight, ${BEGINS}
  FROM turns JOIN conversations ON conversations.key = turns.conversation_key`;

/** All turns up to this key are counted, or queued because they have no answer yet. */
export const COUNTED_UP_TO = `
  max(coalesce((SELECT max(turn_key) FROM counted_turns), 0), coalesce((SELECT max(turn_key) FROM awaited_turns), 0))`;

const IS_ENDED =
  "NOT EXISTS (SELECT 1 FROM turns_in_flight WHERE turns_in_flight.turn_key = awaited_turns.turn_key)";

/** Ratings of counted turns that are not in the sums, or are there with another value. */
const RATINGS_TO_COUNT = `
  FROM ratings INDEXED BY ratings_to_count CROSS JOIN counted_turns ON counted_turns.turn_key = ratings.turn_key
  WHERE ratings.counted_as IS NOT ratings.rating`;

const STATE = `
  SELECT ${COUNTED_UP_TO} AS counted, coalesce((SELECT max(key) FROM turns), 0) AS stored,
    (SELECT count(*) FROM awaited_turns WHERE ${IS_ENDED}) AS ended,
    (SELECT min(at) FROM awaited_turns CROSS JOIN turns ON turns.key = turn_key) AS awaitedSince,
    (SELECT min(at) FROM awaited_turns CROSS JOIN turns ON turns.key = turn_key WHERE ${IS_ENDED}) AS endedSince,
    (SELECT at FROM turns WHERE key > (SELECT ${COUNTED_UP_TO}) ORDER BY key LIMIT 1) AS nextAt`;

interface StateRow {
  /** The key up to which turns are counted or queued, and the highest key. */
  counted: number;
  stored: number;
  ended: number;
  awaitedSince: EpochMs | null;
  endedSince: EpochMs | null;
  nextAt: EpochMs | null;
}

interface RatedRow extends RatingToCount {
  key: TurnKey;
  rating: Rating;
}

/** Counts turns and indexes their words. Each method but `state` is a part of the caller's transaction. */
export class TurnCounting {
  readonly #db: Database;
  readonly #words: WordIndex;
  readonly #next: Statement<[number], UncountedRow>;
  readonly #ended: Statement<[number], UncountedRow>;
  readonly #await: Statement<[TurnKey]>;
  readonly #awaitNoMore: Statement<[TurnKey]>;
  readonly #insert: Statement<[TurnKey, ConversationKey, BotKey, EpochMs, Outcome, string | null]>;
  readonly #rated: Statement<[number], RatedRow>;
  readonly #widen: Statement<{ block: number; at: EpochMs }[]>;

  constructor(db: Database) {
    this.#db = db;
    this.#words = new WordIndex(db);
    this.#next = db.prepare(
      `${UNCOUNTED} WHERE turns.key > (SELECT ${COUNTED_UP_TO}) ORDER BY turns.key LIMIT ?`,
    );
    this.#ended = db.prepare(
      `${UNCOUNTED} WHERE turns.key IN (SELECT turn_key FROM awaited_turns WHERE ${IS_ENDED} ORDER BY turn_key LIMIT ?) ORDER BY turns.key`,
    );
    this.#await = db.prepare("INSERT OR IGNORE INTO awaited_turns (turn_key) VALUES (?)");
    this.#awaitNoMore = db.prepare("DELETE FROM awaited_turns WHERE turn_key = ?");
    this.#insert = db.prepare(`
      INSERT INTO counted_turns (turn_key, conversation_key, bot_key, at, outcome, intent) VALUES (?, ?, ?, ?, ?, ?)`);
    this.#rated = db.prepare(
      `SELECT ratings.turn_key AS key, bot_key AS bot, counted_turns.at, counted_as AS was, ratings.rating ${RATINGS_TO_COUNT} LIMIT ?`,
    );
    this.#widen = db.prepare(`
      INSERT INTO turn_blocks (block, first_at, last_at) VALUES (@block, @at, @at)
      ON CONFLICT (block) DO UPDATE SET first_at = min(first_at, @at), last_at = max(last_at, @at)`);
  }

  /** Whether there is anything to count; costs next to nothing. */
  hasWork(): boolean {
    const sql = `
      SELECT EXISTS (SELECT 1 FROM turns WHERE key > (SELECT ${COUNTED_UP_TO}))
        OR EXISTS (SELECT 1 FROM awaited_turns WHERE ${IS_ENDED}) OR EXISTS (SELECT 1 FROM erased_places)
        OR EXISTS (SELECT 1 ${RATINGS_TO_COUNT})`;
    return this.#db.prepare<[], number>(sql).pluck().get() === 1;
  }

  /**
   * Counts at most `most` turns: first queued turns that have got their answer, then the next ones, and then ratings as far as there is room.
   * Turns in flight are queued.
   */
  step(most: number, reporting?: EventReporting): Omit<CountingStep, "tookMs"> {
    eraseWords(this.#db);
    const ended = this.#ended.all(most);
    // Read before the queued turns are removed: the position of the next ones depends on them.
    const next = this.#next.all(most - ended.length);
    for (const { key } of ended) this.#awaitNoMore.run(key);
    const [flying, ready] = [next.filter(isInFlight), [...ended, ...next.filter((row) => !isInFlight(row))]];
    for (const { key } of flying) this.#await.run(key);
    const turns = ready.map((row) => ({ ...row, begins: row.begins === 1, outcome: outcomeOfRow(row) }));
    this.#count(turns);
    const reported = reporting && runNow(this.#db, reportEvents(turns, reporting));
    const looked = ended.length + next.length;
    const rated = looked < most ? this.#countRatings(most - looked) : 0;
    return { counted: ready.length, mayGoOn: looked + rated >= most, ...(reported && { reported }) };
  }

  /** Uncounts a turn that was counted as given back and has then got its answer, so that it is counted again. */
  recount(key: TurnKey): void {
    const row = this.#db
      .prepare<[TurnKey], TurnToCount & { rating: Rating | null }>(`
        SELECT counted.bot_key AS bot, counted.at, counted.outcome, counted.intent, counted.rating, ${BEGINS}
        FROM counted_turns AS counted JOIN turns ON turns.key = turn_key WHERE turn_key = ?`)
      .get(key);
    if (!row) return;
    this.#addSums([row], -1);
    this.#addRatingSums([{ bot: row.bot, at: row.at, was: row.rating, rating: null }]);
    this.#db.prepare("UPDATE ratings SET counted_as = NULL WHERE turn_key = ?").run(key);
    this.#db.prepare("DELETE FROM counted_turns WHERE turn_key = ?").run(key);
    this.#await.run(key);
  }

  /** The number of uncounted turns is estimated from the keys: counting them would block the event loop. */
  state(): CountingState {
    const { counted, stored, ended, ...since } = this.#db.prepare<[], StateRow>(STATE).get()!;
    const behind = Math.max(0, stored - counted);
    const earliest = (...instants: (EpochMs | null)[]) => {
      const known = instants.filter((at) => at !== null);
      return known.length === 0 ? undefined : Math.min(...known);
    };
    return {
      share: stored === 0 ? 1 : Math.min(1, counted / stored),
      openSince: earliest(since.awaitedSince, since.nextAt),
      left: behind + ended,
      leftSince: earliest(since.endedSince, since.nextAt),
    };
  }

  /** Indexes at most `most` turns after a place, which a copy inserted as counted but without an index. @returns the last place; undefined if there was none. */
  indexBehind(place: number, most: number): number | undefined {
    const turns = this.#db
      .prepare<[number, number], PlacedTurn>(`
        SELECT place, bot_key AS bot, counted.at, outcome, counted.intent, input, response
        FROM counted_turns AS counted JOIN turns ON turns.key = turn_key WHERE place > ? ORDER BY place LIMIT ?`)
      .all(place, most);
    this.#index(turns);
    return turns.at(-1)?.place;
  }

  #count(turns: readonly (Omit<UncountedRow, "begins"> & TurnToCount)[]): void {
    const placed = turns.map((turn) => {
      const { key, conversation, bot, at, outcome, intent } = turn;
      const { lastInsertRowid } = this.#insert.run(key, conversation, bot, at, outcome, intent);
      return { ...turn, place: Number(lastInsertRowid) };
    });
    this.#index(placed);
    this.#addSums(turns, 1);
  }

  #index(turns: readonly PlacedTurn[]): void {
    for (const { place, at } of turns) this.#widen.run({ block: blockOf(place), at });
    this.#words.addAll(
      turns.map(({ place, bot, outcome, intent, input, response }) => ({
        place,
        words: [...attributeTermsOf(bot, outcome, intent), ...wordsOf(input, response)],
      })),
    );
  }

  /** @returns number of counted ratings. */
  #countRatings(most: number): number {
    const rated = this.#rated.all(most);
    const rate = this.#db.prepare<[Rating, TurnKey]>(
      "UPDATE counted_turns SET rating = ? WHERE turn_key = ?",
    );
    const done = this.#db.prepare<[TurnKey]>("UPDATE ratings SET counted_as = rating WHERE turn_key = ?");
    for (const { key, rating } of rated) {
      rate.run(rating, key);
      done.run(key);
    }
    this.#addRatingSums(rated);
    return rated.length;
  }

  #addRatingSums(rated: readonly RatingToCount[]): void {
    const add = this.#db.prepare(`
      INSERT INTO rating_counts (bot_key, bucket, at, rating, answers) VALUES (@bot, @bucket, @at, @rating, @answers)
      ON CONFLICT DO UPDATE SET answers = answers + excluded.answers`);
    for (const sum of sumRatings(rated)) add.run(sum);
  }

  #addSums(turns: readonly TurnToCount[], sign: 1 | -1): void {
    const sums = sumTurns(turns);
    const addTurns = this.#db.prepare(`
      INSERT INTO turn_counts (bot_key, bucket, at, outcome, intent, turns) VALUES (@bot, @bucket, @at, @outcome, @intent, @turns)
      ON CONFLICT DO UPDATE SET turns = turns + excluded.turns`);
    const addConversations = this.#db.prepare(`
      INSERT INTO conversation_counts (bot_key, bucket, at, conversations) VALUES (@bot, @bucket, @at, @conversations)
      ON CONFLICT DO UPDATE SET conversations = conversations + excluded.conversations`);
    for (const sum of sums.turns) addTurns.run({ ...sum, turns: sign * sum.turns });
    for (const sum of sums.conversations)
      addConversations.run({ ...sum, conversations: sign * sum.conversations });
  }
}

function isInFlight(row: UncountedRow): boolean {
  return row.isInFlight === 1;
}

/** The outcome of a row of {@link UNCOUNTED}. */
export function outcomeOfRow(
  row: Pick<UncountedRow, "state" | "enforcementReason" | "hasSuggestions">,
): Outcome {
  return outcomeOf({ ...row, hasSuggestions: row.hasSuggestions === 1 });
}

export type { UncountedRow };

interface SqliteCountingParts {
  counting: TurnCounting;
  /** Writes in a transaction that messages may share. */
  write: <Result>(work: () => Result) => Promise<Result>;
  /** Reads, and converts failures of storage to the errors that callers get. */
  read: <Result>(read: () => Result) => Result;
}

/** Counting of turns in SQLite. */
export class SqliteCounting implements Counting {
  /** A step blocks the event loop, and a message that arrives meanwhile waits for it (docs/decisions.md). */
  readonly countingPace = { stepMs: 3, mostTurns: 400, pauses: 3 };
  readonly #parts: SqliteCountingParts;

  constructor(parts: SqliteCountingParts) {
    this.#parts = parts;
  }

  async countTurns(most: number, reporting?: EventReporting): Promise<CountingStep> {
    const { counting, read, write } = this.#parts;
    if (!read(() => counting.hasWork())) return { counted: 0, mayGoOn: false, tookMs: 0 };
    return write(() => {
      const startedAt = performance.now();
      return { ...counting.step(most, reporting), tookMs: performance.now() - startedAt };
    });
  }

  async countingState(): Promise<CountingState> {
    return this.#parts.read(() => this.#parts.counting.state());
  }
}
