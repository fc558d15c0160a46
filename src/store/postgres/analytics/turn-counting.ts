import type { Rating } from "../../../domain/feedback.ts";
import { outcomeOf } from "../../../domain/operator/outcome.ts";
import type { Outcome } from "../../../domain/operator/overview.ts";
import type { EpochMs } from "../../../domain/time.ts";
import { Breather } from "../../../domain/waiting.ts";
import type { Counting } from "../../aggregates/analytics.ts";
import { reportEvents } from "../../aggregates/turn-events.ts";
import { type RatingToCount, sumRatings, sumTurns, type TurnToCount } from "../../analytics/count-sums.ts";
import { wordsOf } from "../../analytics/words.ts";
import type { CountingState, CountingStep } from "../../interface/analytics.ts";
import type { TurnKey } from "../../interface/conversations.ts";
import type { EventReporting, ReportedEvents } from "../../interface/outbox.ts";
import { List, type Queries } from "../connection.ts";
import type { Pool } from "../pool.ts";
import { runOn } from "../postgres-engine.ts";
import { OF_ENDED, readFirst, type UncountedRow } from "./uncounted-turns.ts";

/** Ratings of counted turns that are not in the sums, or are there with another value. */
const RATINGS_TO_COUNT = `
FROM ratings JOIN counted_turns ON counted_turns.request_id = ratings.request_id
WHERE ratings.counted_as IS DISTINCT FROM ratings.rating`;

/** Skips rows that another transaction is changing; a later step takes them. */
const NEXT_RATINGS = `
SELECT ratings.request_id AS "requestId", counted_turns.bot_key::float8 AS bot, counted_turns.at::float8 AS at,
  ratings.counted_as AS was, ratings.rating ${RATINGS_TO_COUNT} LIMIT $1 FOR UPDATE SKIP LOCKED`;

const COUNT_RATINGS = `
WITH item AS (SELECT * FROM unnest($1::text[], $2::text[]) AS item (request_id, rating)), rated AS (
  UPDATE ratings SET counted_as = item.rating FROM item WHERE ratings.request_id = item.request_id
)
UPDATE counted_turns SET rating = item.rating FROM item WHERE counted_turns.request_id = item.request_id`;

const ADD_RATINGS = `
INSERT INTO rating_counts AS sums (bot_key, bucket, at, rating, answers)
SELECT * FROM unnest($1::bigint[], $2::text[], $3::bigint[], $4::text[], $5::bigint[])
ON CONFLICT (bot_key, bucket, at, rating) DO UPDATE SET answers = sums.answers + excluded.answers`;

const HAS_WORK = `
SELECT EXISTS (SELECT ${OF_ENDED}) OR EXISTS (SELECT FROM counted_turns WHERE words IS NULL)
  OR EXISTS (SELECT ${RATINGS_TO_COUNT}) AS "hasWork"`;

interface Marker {
  lastPlace: number;
}

const TAKE_TURN = `SELECT last_place::float8 AS "lastPlace" FROM turn_counting FOR UPDATE SKIP LOCKED`;
/** Servers of an older version began to look from `counted_at`, so it is still stored. */
const BEGIN = `
INSERT INTO turn_counting (key, counted_at, last_place) SELECT 1, 0, coalesce((SELECT max(place) FROM counted_turns), 0)
ON CONFLICT DO NOTHING`;

const INSERT = `
INSERT INTO counted_turns (place, request_id, conversation_id, bot_key, at, outcome, intent, words)
SELECT $8::bigint + position, request_id, conversation_id, bot_key, at, outcome, intent, words::tsvector
FROM unnest($1::text[], $2::text[], $3::bigint[], $4::bigint[], $5::text[], $6::text[], $7::text[])
  WITH ORDINALITY AS item (request_id, conversation_id, bot_key, at, outcome, intent, words, position)
WHERE EXISTS (SELECT FROM turns WHERE turns.request_id = item.request_id FOR KEY SHARE)`;

const ADD_TURNS = `
INSERT INTO turn_counts AS sums (bot_key, bucket, at, outcome, intent, turns)
SELECT * FROM unnest($1::bigint[], $2::text[], $3::bigint[], $4::text[], $5::text[], $6::bigint[])
ON CONFLICT (bot_key, bucket, at, outcome, intent) DO UPDATE SET turns = sums.turns + excluded.turns`;

const ADD_CONVERSATIONS = `
INSERT INTO conversation_counts AS sums (bot_key, bucket, at, conversations)
SELECT * FROM unnest($1::bigint[], $2::text[], $3::bigint[], $4::bigint[])
ON CONFLICT (bot_key, bucket, at) DO UPDATE SET conversations = sums.conversations + excluded.conversations`;

const STATE = `
SELECT coalesce((SELECT last_place FROM turn_counting), 0)::float8 AS counted,
  (SELECT count(*) FROM counted_turns WHERE words IS NULL)::float8 AS wordless,
  ((SELECT count(*) FROM awaited_turns)
    - (SELECT count(*) FROM turns_in_flight JOIN awaited_turns USING (request_id)))::float8 AS left,
  (SELECT min(at) FROM awaited_turns)::float8 AS "openSince",
  (SELECT at ${OF_ENDED} ORDER BY awaited.at, awaited.request_id LIMIT 1)::float8 AS "leftSince"`;

interface StateRow {
  counted: number;
  wordless: number;
  left: number;
  openSince: EpochMs | null;
  leftSince: EpochMs | null;
}

/** Counting of turns in PostgreSQL. */
export class PostgresCounting implements Counting {
  /** A step uses a connection that messages do not need; the pauses leave a third of the time to messages on the database's machine (docs/decisions.md). */
  readonly countingPace = { stepMs: 100, mostTurns: 1000, pauses: 0.5 };
  readonly #pool: Pool;
  readonly #counting = new TurnCounting();

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  async countTurns(most: number, reporting?: EventReporting): Promise<CountingStep> {
    if (!(await this.#counting.hasWork(this.#pool))) return { counted: 0, mayGoOn: false, tookMs: 0 };
    return this.#pool.transaction(async (queries) => {
      const startedAt = performance.now();
      const step = await this.#counting.step(queries, most, reporting);
      return { ...step, tookMs: performance.now() - startedAt };
    });
  }

  countingState(): Promise<CountingState> {
    return this.#counting.state(this.#pool);
  }
}

/** Counts turns, and stores their words; each method is part of the caller's transaction. */
class TurnCounting {
  /** Counts nothing if another server is counting. */
  async step(
    queries: Queries,
    most: number,
    reporting?: EventReporting,
  ): Promise<Omit<CountingStep, "tookMs">> {
    const marker = await takeTurn(queries);
    if (!marker) return { counted: 0, mayGoOn: false };
    const rows = await readFirst(queries, most);
    const turns = rows.flatMap((row) =>
      row.isCounted ? [] : [{ ...row, key: row.requestId as TurnKey, outcome: outcomeOf(row) }],
    );
    const reported: ReportedEvents | undefined =
      reporting && (await runOn(queries, reportEvents(turns, reporting)));
    await count(queries, turns, marker.lastPlace);
    await awaitNoMore(queries, rows);
    const isFull = rows.length === most;
    const filled = isFull ? 0 : await fillWords(queries, most);
    const rated = isFull ? 0 : await countRatings(queries, most);
    const mayGoOn = isFull || filled === most || rated === most;
    return { counted: turns.length, mayGoOn, ...(reported && { reported }) };
  }

  /** Whether there is anything to count; reads only. */
  async hasWork(queries: Queries): Promise<boolean> {
    const [row] = await queries.query<{ hasWork: boolean }>(HAS_WORK);
    return row!.hasWork;
  }

  async state(queries: Queries): Promise<CountingState> {
    const [row] = await queries.query<StateRow>(STATE);
    const { counted, wordless, left, openSince, leftSince } = row!;
    const behind = wordless + left;
    return {
      share: behind === 0 ? 1 : counted / Math.max(1, counted + behind),
      left,
      leftSince: leftSince ?? undefined,
      openSince: openSince ?? undefined,
    };
  }
}

/** Uncounts a turn that was counted as given back and has then got its answer, so that it is counted again. */
export async function recount(queries: Queries, requestId: string): Promise<void> {
  const [row] = await queries.query<TurnToCount & { rating: Rating | null }>(
    `DELETE FROM counted_turns AS counted USING turns
     WHERE counted.request_id = $1 AND turns.request_id = counted.request_id
     RETURNING counted.bot_key::float8 AS bot, counted.at::float8 AS at, outcome, counted.intent, counted.rating,
       number = 1 AS begins`,
    [requestId],
  );
  if (!row) return;
  await addSums(queries, [row], -1);
  await addRatingSums(queries, [{ bot: row.bot, at: row.at, was: row.rating, rating: null }]);
  await queries.query("UPDATE ratings SET counted_as = NULL WHERE request_id = $1", [requestId]);
  await queries.query("INSERT INTO awaited_turns (request_id, at) VALUES ($1, $2) ON CONFLICT DO NOTHING", [
    requestId,
    row.at,
  ]);
}

/** Undefined if another server is counting. */
async function takeTurn(queries: Queries): Promise<Marker | undefined> {
  const [marker] = await queries.query<Marker>(TAKE_TURN);
  if (marker) return marker;
  await queries.query(BEGIN);
  const [first] = await queries.query<Marker>(TAKE_TURN);
  return first;
}

async function awaitNoMore(queries: Queries, turns: readonly UncountedRow[]): Promise<void> {
  if (turns.length === 0) return;
  await queries.query("DELETE FROM awaited_turns WHERE request_id = ANY($1::text[])", [
    new List(turns.map(({ requestId }) => requestId)),
  ]);
}

type CountedRow = UncountedRow & { outcome: Outcome };

async function count(queries: Queries, turns: readonly CountedRow[], lastPlace: number): Promise<void> {
  if (turns.length === 0) return;
  const list = (of: (turn: CountedRow) => string | number | null) => new List(turns.map(of));
  await queries.query(INSERT, [
    list(({ requestId }) => requestId),
    list(({ conversation }) => conversation),
    list(({ bot }) => bot),
    list(({ at }) => at),
    list(({ outcome }) => outcome),
    list(({ intent }) => intent),
    await vectorsOf(turns),
    lastPlace,
  ]);
  await queries.query("UPDATE turn_counting SET last_place = last_place + $1", [turns.length]);
  await addSums(queries, turns, 1);
}

/** Pauses regularly, so that arriving messages are served. */
async function vectorsOf(turns: readonly { input: string; response: string }[]): Promise<List> {
  const breather = new Breather();
  const vectors: string[] = [];
  for (const { input, response } of turns) {
    vectors.push(vectorOf(input, response));
    await breather.breathe();
  }
  return new List(vectors);
}

/** Words consist of letters and digits, so nothing needs escaping. */
function vectorOf(input: string, response: string): string {
  return Array.from(wordsOf(input, response), (word) => `'${word}'`).join(" ");
}

async function addSums(queries: Queries, counted: readonly TurnToCount[], sign: 1 | -1): Promise<void> {
  const { turns, conversations } = sumTurns(counted);
  await queries.query(ADD_TURNS, [
    new List(turns.map(({ bot }) => bot)),
    new List(turns.map(({ bucket }) => bucket)),
    new List(turns.map(({ at }) => at)),
    new List(turns.map(({ outcome }) => outcome)),
    new List(turns.map(({ intent }) => intent)),
    new List(turns.map((sum) => sign * sum.turns)),
  ]);
  if (conversations.length === 0) return;
  await queries.query(ADD_CONVERSATIONS, [
    new List(conversations.map(({ bot }) => bot)),
    new List(conversations.map(({ bucket }) => bucket)),
    new List(conversations.map(({ at }) => at)),
    new List(conversations.map((sum) => sign * sum.conversations)),
  ]);
}

/** @returns number of counted ratings. */
async function countRatings(queries: Queries, most: number): Promise<number> {
  const rated = await queries.query<RatingToCount & { requestId: string }>(NEXT_RATINGS, [most]);
  if (rated.length === 0) return 0;
  await queries.query(COUNT_RATINGS, [
    new List(rated.map(({ requestId }) => requestId)),
    new List(rated.map(({ rating }) => rating)),
  ]);
  await addRatingSums(queries, rated);
  return rated.length;
}

async function addRatingSums(queries: Queries, rated: readonly RatingToCount[]): Promise<void> {
  const sums = sumRatings(rated);
  if (sums.length === 0) return;
  await queries.query(ADD_RATINGS, [
    new List(sums.map(({ bot }) => bot)),
    new List(sums.map(({ bucket }) => bucket)),
    new List(sums.map(({ at }) => at)),
    new List(sums.map(({ rating }) => rating)),
    new List(sums.map(({ answers }) => answers)),
  ]);
}

/** Indexes the words of turns that a copy inserted without them. @returns number of turns. */
async function fillWords(queries: Queries, most: number): Promise<number> {
  const rows = await queries.query<{ place: number; input: string; response: string }>(
    `SELECT place::float8 AS place, input, response
     FROM counted_turns JOIN turns ON turns.request_id = counted_turns.request_id
     WHERE words IS NULL ORDER BY place DESC LIMIT $1`,
    [most],
  );
  if (rows.length === 0) return 0;
  await queries.query(
    `UPDATE counted_turns SET words = item.words::tsvector FROM unnest($1::bigint[], $2::text[]) AS item (place, words)
     WHERE counted_turns.place = item.place`,
    [new List(rows.map(({ place }) => place)), await vectorsOf(rows)],
  );
  return rows.length;
}
