import type { EnforcementReason } from "../../../domain/chat.ts";
import type { TurnState } from "../../../domain/conversation.ts";
import type { Rating } from "../../../domain/feedback.ts";
import { outcomeOf } from "../../../domain/operator/outcome.ts";
import type { Outcome } from "../../../domain/operator/overview.ts";
import type { EpochMs } from "../../../domain/time.ts";
import { type RatingToCount, sumRatings, sumTurns, type TurnToCount } from "../../analytics/count-sums.ts";
import { wordsOf } from "../../analytics/words.ts";
import type { CountingState, CountingStep } from "../../interface/analytics.ts";
import type { BotKey } from "../../interface/bots.ts";
import type { Telling, ToldBehind } from "../../interface/outbox.ts";
import { List, type Queries } from "../connection.ts";
import { tellBehind } from "./events-behind.ts";

/** A turn as it is read to be counted. */
export interface UncountedRow {
  requestId: string;
  conversation: string;
  bot: BotKey;
  at: EpochMs;
  state: TurnState;
  enforcementReason: EnforcementReason | null;
  hasSuggestions: boolean;
  intent: string | null;
  input: string;
  response: string;
  isInFlight: boolean;
  begins: boolean;
}

/** How much later than another a turn may be stored: a statement's deadline and its repetitions, twice. */
const USUALLY_LATE_MS = 20_000;
/** The same where the clock of another server is behind. Looked at now and then, as it takes longer. */
const RARELY_LATE_MS = 10 * 60_000;
const EVERY_NTH_LOOK = 60;
/** What was stored by a clock that was set. Looked at once by each server. */
const AT_WORST_LATE_MS = 24 * 60 * 60_000;

/** Most receipts do not hold the name, and are not parsed. */
export const HAS_SUGGESTIONS = `
  CASE WHEN enforcement_reason = 'no_intent_match' AND strpos(receipt, '"suggestions"') > 0
    THEN receipt::json #>> '{suggestions,0}' IS NOT NULL ELSE false END AS "hasSuggestions"`;

const IN_FLIGHT = "EXISTS (SELECT FROM turns_in_flight AS flying WHERE flying.request_id = turns.request_id)";

/**
 * The conversation is looked up for each turn: a join might read all of them. To order by `at` alone would mean the column of the result,
 * of which there is no index.
 */
const UNCOUNTED = `
SELECT turns.request_id AS "requestId", conversation_id AS conversation,
  (SELECT bot_key::float8 FROM conversations WHERE conversations.id = conversation_id) AS bot, at::float8 AS at, state,
  enforcement_reason AS "enforcementReason", ${HAS_SUGGESTIONS}, intent, input, response, ${IN_FLIGHT} AS "isInFlight",
  number = 1 AS begins
FROM turns`;

/** As `NOT EXISTS`, but always looked up by an index for each turn: never by reading a whole table once. */
const isNotIn = (table: string) =>
  `(SELECT true FROM ${table} AS known WHERE known.request_id = turns.request_id LIMIT 1) IS NULL`;

const IS_NEW = `${isNotIn("counted_turns")} AND ${isNotIn("awaited_turns")}`;

const NEXT = `${UNCOUNTED} WHERE at >= $1 AND ${IS_NEW} ORDER BY turns.at LIMIT $2`;
const ENDED = `
${UNCOUNTED} WHERE turns.request_id = ANY (ARRAY(SELECT request_id FROM awaited_turns LIMIT $1)) AND NOT ${IN_FLIGHT}`;

/** Of turns that are counted, those whose rating is not, or counts as another one. */
const RATINGS_TO_COUNT = `
FROM ratings JOIN counted_turns ON counted_turns.request_id = ratings.request_id
WHERE ratings.counted_as IS DISTINCT FROM ratings.rating`;

/** Rows that somebody changes at this moment are left to a later step. */
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

const WAITING = `
SELECT (SELECT counted_at::float8 FROM turn_counting) AS "countedAt",
  EXISTS (SELECT FROM counted_turns WHERE words IS NULL) OR EXISTS (
    SELECT FROM awaited_turns AS awaited
    WHERE NOT EXISTS (SELECT FROM turns_in_flight AS flying WHERE flying.request_id = awaited.request_id))
    OR EXISTS (SELECT ${RATINGS_TO_COUNT}) AS "isWaiting"`;

interface Marker {
  countedAt: EpochMs;
  lastPlace: number;
}

const TAKE_TURN = `
SELECT counted_at::float8 AS "countedAt", last_place::float8 AS "lastPlace" FROM turn_counting FOR UPDATE SKIP LOCKED`;
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
SELECT (SELECT count(*) FROM counted_turns WHERE words IS NULL)::float8 AS wordless,
  coalesce((SELECT counted_at FROM turn_counting), 0)::float8 AS "countedAt",
  coalesce((SELECT last_place FROM turn_counting), 0)::float8 AS counted,
  (SELECT min(at)::float8 FROM awaited_turns JOIN turns ON turns.request_id = awaited_turns.request_id) AS awaited`;

/** Counts turns in PostgreSQL, and keeps their words. */
export class PostgresTurnCounting {
  #looks = 0;
  #lateMs = AT_WORST_LATE_MS;
  #goesOn = false;

  /** Part of the caller's transaction. Counts nothing where another server is counting. */
  async step(queries: Queries, most: number, telling?: Telling): Promise<CountingStep> {
    const marker = await takeTurn(queries);
    if (!marker) return { counted: 0, mayGoOn: false };
    const ended = await queries.query<UncountedRow>(ENDED, [most]);
    const since = marker.countedAt - this.#lateMs;
    const next = await queries.query<UncountedRow>(NEXT, [since, most]);
    this.#goesOn = next.length === most;
    const ready = [...ended, ...next.filter(({ isInFlight }) => !isInFlight)];
    await awaitTurns(
      queries,
      next.filter(({ isInFlight }) => isInFlight),
    );
    const turns = ready.map((row) => ({ ...row, outcome: outcomeOf(row) }));
    const told: ToldBehind | undefined = telling && (await tellBehind(queries, turns, telling));
    await count(queries, turns, marker.lastPlace);
    if (next.length + ended.length > 0) {
      const countedAt = next.reduce((latest, { at }) => Math.max(latest, at), marker.countedAt);
      await queries.query("UPDATE turn_counting SET counted_at = $1, last_place = last_place + $2", [
        countedAt,
        ready.length,
      ]);
    }
    const isFull = next.length === most;
    const filled = isFull ? 0 : await fillWords(queries, most);
    const rated = isFull ? 0 : await countRatings(queries, most);
    const mayGoOn = isFull || filled === most || rated === most;
    return { counted: ready.length, mayGoOn, ...(told && { told }) };
  }

  /** Whether there is anything to do, as far as a look tells that changes nothing; from time to time without one. */
  async hasWork(queries: Queries): Promise<boolean> {
    this.#lateMs = this.#lateness();
    if (this.#lateMs > USUALLY_LATE_MS) return true;
    const [row] = await queries.query<{ countedAt: EpochMs | null; isWaiting: boolean }>(WAITING);
    const { countedAt, isWaiting } = row!;
    if (isWaiting || countedAt === null) return true;
    const open = `SELECT 1 FROM turns WHERE at >= $1 AND ${IS_NEW} ORDER BY turns.at LIMIT 1`;
    return (await queries.query(open, [countedAt - USUALLY_LATE_MS])).length > 0;
  }

  /** From how long before the latest turn on this look looks: as the one before, where that did not come to an end. */
  #lateness(): number {
    if (this.#goesOn) return this.#lateMs;
    const look = this.#looks++;
    if (look === 0) return AT_WORST_LATE_MS;
    return look % EVERY_NTH_LOOK === 0 ? RARELY_LATE_MS : USUALLY_LATE_MS;
  }

  async state(queries: Queries): Promise<CountingState> {
    const [state] = await queries.query<{
      wordless: number;
      countedAt: EpochMs;
      counted: number;
      awaited: EpochMs | null;
    }>(STATE);
    const { wordless, countedAt, counted, awaited } = state!;
    const [first] = await queries.query<{ at: EpochMs }>(
      `SELECT at::float8 AS at FROM turns WHERE at >= $1 AND ${IS_NEW} ORDER BY turns.at LIMIT 1`,
      [countedAt - USUALLY_LATE_MS],
    );
    const left = wordless + (first ? await this.#countLeft(queries, countedAt) : 0);
    const openSince = [first?.at, awaited ?? undefined].filter((at) => at !== undefined);
    return {
      share: left === 0 ? 1 : counted / Math.max(1, counted + left),
      openSince: openSince.length === 0 ? undefined : Math.min(...openSince),
    };
  }

  /** By time: counting them all would take as long as to count them. */
  async #countLeft(queries: Queries, countedAt: EpochMs): Promise<number> {
    const [row] = await queries.query<{ left: number }>(
      `SELECT count(*)::float8 AS left FROM (SELECT FROM turns WHERE at >= $1 AND ${IS_NEW} LIMIT 100000) AS open`,
      [countedAt - USUALLY_LATE_MS],
    );
    return row!.left;
  }
}

/** Counts a turn no longer, which others had given back, and which has come to an answer after all. */
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
  await queries.query("INSERT INTO awaited_turns (request_id) VALUES ($1) ON CONFLICT DO NOTHING", [
    requestId,
  ]);
}

/** Undefined where another server is counting. */
async function takeTurn(queries: Queries): Promise<Marker | undefined> {
  const [marker] = await queries.query<Marker>(TAKE_TURN);
  if (marker) return marker;
  await queries.query(BEGIN);
  const [first] = await queries.query<Marker>(TAKE_TURN);
  return first;
}

async function awaitTurns(queries: Queries, turns: readonly UncountedRow[]): Promise<void> {
  if (turns.length === 0) return;
  await queries.query(
    "INSERT INTO awaited_turns (request_id) SELECT unnest($1::text[]) ON CONFLICT DO NOTHING",
    [new List(turns.map(({ requestId }) => requestId))],
  );
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
    list(({ input, response }) => vectorOf(input, response)),
    lastPlace,
  ]);
  await queries.query("DELETE FROM awaited_turns WHERE request_id = ANY($1::text[])", [
    list(({ requestId }) => requestId),
  ]);
  await addSums(queries, turns, 1);
}

/** Words are letters and digits: nothing in them has to be escaped. */
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

/** @returns how many. */
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

/** Reads the words of turns that a copy has brought without them. @returns how many. */
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
    [
      new List(rows.map(({ place }) => place)),
      new List(rows.map(({ input, response }) => vectorOf(input, response))),
    ],
  );
  return rows.length;
}

/** Turns that have ended, and are not counted, the latest first. */
export async function listOpen(queries: Queries, most: number): Promise<RatedRow[]> {
  const [marker] = await queries.query<{ countedAt: EpochMs }>(
    `SELECT coalesce(max(counted_at), 0)::float8 AS "countedAt" FROM turn_counting`,
  );
  const open = await queries.query<UncountedRow>(OPEN, [marker!.countedAt - USUALLY_LATE_MS, most]);
  const ended = await queries.query<UncountedRow>(ENDED, [most]);
  return withRatings(queries, [...open, ...ended].toSorted((a, b) => b.at - a.at).slice(0, most));
}

interface RatedRow extends UncountedRow {
  rating: Rating | null;
}

async function withRatings(queries: Queries, rows: readonly UncountedRow[]): Promise<RatedRow[]> {
  const rated = await queries.query<{ requestId: string; rating: Rating }>(
    `SELECT request_id AS "requestId", rating FROM ratings WHERE request_id = ANY($1::text[])`,
    [new List(rows.map(({ requestId }) => requestId))],
  );
  const ratings = new Map(rated.map(({ requestId, rating }) => [requestId, rating]));
  return rows.map((row) => ({ ...row, rating: ratings.get(row.requestId) ?? null }));
}

const OPEN = `${UNCOUNTED} WHERE at >= $1 AND ${IS_NEW} AND NOT ${IN_FLIGHT} ORDER BY turns.at DESC LIMIT $2`;
