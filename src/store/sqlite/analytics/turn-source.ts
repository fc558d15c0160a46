import type { Database, Statement } from "better-sqlite3";

import type { Rating } from "../../../domain/feedback.ts";
import type { EpochMs } from "../../../domain/time.ts";
import { Breather } from "../../../domain/waiting.ts";
import { SqlTurnSource } from "../../aggregates/turn-source.ts";
import {
  type CountedQuery,
  type LatestQuery,
  type ListedTurn,
  type OpenTurn,
  newFrom,
} from "../../analytics/conversation-list.ts";
import type { OpenPlace } from "../../interface/analytics.ts";
import type { ConversationKey, TurnKey } from "../../interface/conversations.ts";
import type { Engine } from "../../sql/work.ts";
import { ANY, attributeTermsAsked } from "./attribute-terms.ts";
import {
  setBit,
  BLOCK_PLACES,
  blockOf,
  emptyBitmap,
  hasBit,
  intersect,
  listBits,
  offsetOf,
  type Bitmap,
} from "./bitmaps.ts";
import { COUNTED_UP_TO, outcomeOfRow, UNCOUNTED, type UncountedRow } from "./turn-counting.ts";
import { WordIndex } from "./word-index.ts";

interface CountedRow {
  place: number;
  turn: TurnKey;
  conversation: ConversationKey;
  at: EpochMs;
}

type OpenRow = UncountedRow & Pick<OpenTurn, "requestId" | "rating">;

const HAS_ENDED = "NOT EXISTS (SELECT 1 FROM turns_in_flight WHERE turns_in_flight.turn_key = turns.key)";
const OPEN = `
  SELECT open.*, turns.request_id AS requestId, (SELECT rating FROM ratings WHERE turn_key = open.key) AS rating FROM`;
const LAST_FIRST = "AS open JOIN turns ON turns.key = open.key ORDER BY open.key DESC";

function toOpenTurn(row: OpenRow): OpenTurn {
  return { ...row, outcome: outcomeOfRow(row) };
}

interface BlockRow {
  block: number;
  firstAt: EpochMs;
  lastAt: EpochMs;
}

type WalkQuery = Omit<CountedQuery, "limit">;

/** Reads turns in SQLite block by block, the latest first, and pauses for messages in between. */
export class SqliteTurnSource extends SqlTurnSource {
  readonly #db: Database;
  readonly #words: WordIndex;
  readonly #counted: Statement<[number], CountedRow>;
  readonly #laterOf: Statement<[ConversationKey, number], CountedRow>;
  readonly #blocks: Statement<[number, EpochMs, EpochMs], BlockRow>;
  readonly #rated: Statement<[Rating, number, number], number>;

  constructor(db: Database, engine: Pick<Engine, "read">) {
    super(engine);
    this.#db = db;
    this.#words = new WordIndex(db);
    const columns =
      "place, turn_key AS turn, counted_turns.conversation_key AS conversation, counted_turns.at";
    this.#counted = db.prepare(
      `SELECT ${columns} FROM counted_turns JOIN bots ON bots.key = bot_key WHERE place = ?`,
    );
    this.#laterOf = db.prepare(`
      SELECT ${columns} FROM turns CROSS JOIN counted_turns ON turn_key = turns.key
      WHERE turns.conversation_key = ? AND place >= ?`);
    this.#rated = db
      .prepare<[Rating, number, number], number>(
        "SELECT place FROM counted_turns WHERE rating = ? AND place BETWEEN ? AND ?",
      )
      .pluck();
    this.#blocks = db.prepare(`
      SELECT block, first_at AS firstAt, last_at AS lastAt FROM turn_blocks
      WHERE block <= ? AND last_at >= ? AND first_at < ? ORDER BY block DESC`);
  }

  async listOpen(below: OpenPlace | undefined, most: number): Promise<OpenTurn[]> {
    const key = below === undefined ? Number.MAX_SAFE_INTEGER : this.#keyOf(below);
    return this.#db
      .prepare<{ key: number; most: number }[], OpenRow>(`
        ${OPEN} (
          SELECT * FROM (
            ${UNCOUNTED} WHERE turns.key > (SELECT ${COUNTED_UP_TO}) AND turns.key < @key AND ${HAS_ENDED} ORDER BY turns.key DESC LIMIT @most)
          UNION ALL ${UNCOUNTED} WHERE turns.key IN (SELECT turn_key FROM awaited_turns) AND turns.key < @key AND ${HAS_ENDED}
        ) ${LAST_FIRST} LIMIT @most`)
      .all({ key, most })
      .map(toOpenTurn);
  }

  async listOpenOf(conversations: readonly ConversationKey[]): Promise<OpenTurn[]> {
    return this.#db
      .prepare<[string], OpenRow>(`
        ${OPEN} (
          ${UNCOUNTED} WHERE turns.conversation_key IN (SELECT value FROM json_each(?)) AND ${HAS_ENDED}
            AND (turns.key > (SELECT ${COUNTED_UP_TO}) OR turns.key IN (SELECT turn_key FROM awaited_turns))
        ) ${LAST_FIRST}`)
      .all(JSON.stringify(conversations))
      .map(toOpenTurn);
  }

  async listCounted(query: CountedQuery): Promise<Required<ListedTurn>[]> {
    const found: Required<ListedTurn>[] = [];
    const seen = new Set<ConversationKey>();
    for await (const row of this.#walk(query)) {
      if (seen.has(row.conversation) || this.#isListedAbove(query, row)) continue;
      seen.add(row.conversation);
      const { place, at } = row;
      found.push({ requestId: String(row.turn), conversation: row.conversation, place: { place, at } });
      if (found.length === query.limit) break;
    }
    return this.#nameRequests(found);
  }

  async findLatest({ limit, ...wanted }: LatestQuery) {
    const query = { words: [], below: undefined, ...wanted };
    const turns: { key: TurnKey; at: EpochMs }[] = [];
    for await (const { turn, at } of this.#walk(query)) {
      turns.push({ key: turn, at });
      if (turns.length === limit) break;
    }
    return { turns, total: await this.#count(query) };
  }

  /** Turns that pass a query, the latest first. */
  async *#walk(query: WalkQuery): AsyncGenerator<CountedRow, void, undefined> {
    const breather = new Breather();
    const { below, upTo = Infinity } = query;
    const most = Math.min(below?.place ?? Infinity, upTo + 1);
    for (const { block } of this.#blocksOf(query)) {
      await breather.breathe();
      for (const offset of listBits(this.#placesIn(block, query))) {
        const place = block * BLOCK_PLACES + offset;
        const row = place < most ? this.#counted.get(place) : undefined;
        if (!row || !isInTime(query, row)) continue;
        if (query.newer && place <= query.newer.place) return;
        yield row;
        await breather.breathe();
      }
    }
  }

  /** Number of turns that pass a query. Blocks that lie wholly in the time range are counted without reading their turns. */
  async #count(query: WalkQuery): Promise<number> {
    const breather = new Breather();
    let count = 0;
    for (const { block, firstAt, lastAt } of this.#blocksOf(query)) {
      await breather.breathe();
      const places = listBits(this.#placesIn(block, query));
      const isWhole = isInTime(query, { at: firstAt }) && isInTime(query, { at: lastAt });
      count += isWhole
        ? places.length
        : places.filter((offset) => this.#isPlaceInTime(query, block * BLOCK_PLACES + offset)).length;
    }
    return count;
  }

  #isPlaceInTime(query: WalkQuery, place: number): boolean {
    const row = this.#counted.get(place);
    return row !== undefined && isInTime(query, row);
  }

  #blocksOf({ from, to, below, newer }: WalkQuery): BlockRow[] {
    const last = below === undefined ? Number.MAX_SAFE_INTEGER : blockOf(below.place);
    const since = Math.max(from ?? 0, newer ? newFrom(newer) : 0);
    return this.#blocks.all(last, since, to ?? Number.MAX_SAFE_INTEGER);
  }

  /** The places of a block that match all terms of the query; time is not checked. */
  #placesIn(block: number, query: WalkQuery): Bitmap {
    const { terms, prefixes } = attributeTermsAsked(query);
    // Ratings first, then words, the longest first: most blocks lack a rare word, and the other terms need not be read.
    const { rating } = query;
    const searches = [
      ...(rating === undefined ? [] : [() => this.#ratedIn(block, rating)]),
      ...query.words
        .toSorted((a, b) => b.length - a.length)
        .map((word) => () => this.#words.findPrefix(block, word)),
      ...prefixes.map((prefix) => () => this.#words.findPrefix(block, prefix)),
      ...terms.map((term) => () => this.#words.find(block, term) ?? emptyBitmap()),
    ];
    const [first, ...others] =
      searches.length === 0 ? [() => this.#words.find(block, ANY) ?? emptyBitmap()] : searches;
    const places = first!();
    for (const search of others) {
      if (places.every((byte) => byte === 0)) break;
      intersect(places, search());
    }
    return places;
  }

  /** If the turn was erased since, the key of the latest turn before it. */
  #keyOf({ open, at }: OpenPlace): number {
    const key = this.#db.prepare<[string], number>("SELECT key FROM turns WHERE request_id = ?").pluck();
    const before = this.#db.prepare<[number], number>(
      "SELECT key + 1 FROM turns WHERE at <= ? ORDER BY at DESC, key DESC LIMIT 1",
    );
    return key.get(open) ?? before.pluck().get(at) ?? 0;
  }

  #ratedIn(block: number, rating: Rating): Bitmap {
    const places = emptyBitmap();
    const first = block * BLOCK_PLACES;
    for (const place of this.#rated.all(rating, first, first + BLOCK_PLACES - 1))
      setBit(places, offsetOf(place));
    return places;
  }

  /** Whether an earlier page listed the conversation, by a later turn. */
  #isListedAbove(query: CountedQuery, { conversation }: CountedRow): boolean {
    const { below, upTo, isAsOf } = query;
    const first = below?.place ?? (upTo === undefined ? undefined : upTo + 1);
    if (first === undefined) return false;
    const last = isAsOf ? upTo! : Infinity;
    return this.#laterOf
      .all(conversation, first)
      .some(
        (row) =>
          row.place <= last &&
          isInTime(query, row) &&
          hasBit(this.#placesIn(blockOf(row.place), query), offsetOf(row.place)),
      );
  }

  #nameRequests(turns: readonly Required<ListedTurn>[]): Required<ListedTurn>[] {
    const name = this.#db.prepare<[string], string>("SELECT request_id FROM turns WHERE key = ?").pluck();
    return turns.flatMap((turn) => {
      const requestId = name.get(turn.requestId);
      return requestId === undefined ? [] : [{ ...turn, requestId }];
    });
  }
}

function isInTime(
  { from, to, newer }: Pick<CountedQuery, "from" | "to" | "newer">,
  { at }: { at: EpochMs },
): boolean {
  const since = newer ? newFrom(newer) : 0;
  return at >= since && (from === undefined || at >= from) && (to === undefined || at < to);
}
